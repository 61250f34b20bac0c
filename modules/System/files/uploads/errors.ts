/** What a file is refused with before any byte is seen. */
export const declaredErrors = [
  'upload.type_unknown',
  'upload.extension_not_allowed',
  'upload.empty',
  'upload.too_large',
] as const;

/** What the bytes of a file are refused with. */
const contentErrors = ['upload.content_mismatch', 'upload.active_content'] as const;

/** How an engine fails. */
export const storageErrors = ['storage.unavailable', 'storage.not_configured'] as const;

export const directErrors = [...declaredErrors, ...storageErrors] as const;

export const formErrors = [
  ...declaredErrors,
  ...contentErrors,
  ...storageErrors,
  'request.too_large',
] as const;

export const completeErrors = [
  'upload.ticket_invalid',
  'upload.incomplete',
  // Of drawings above what is read whole.
  'upload.too_large',
  ...contentErrors,
  ...storageErrors,
] as const;

export const partErrors = [
  ...storageErrors,
  'upload.ticket_invalid',
  'upload.empty',
  'upload.too_large',
  'upload.offset_conflict',
  'request.too_large',
] as const;
