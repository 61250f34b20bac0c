/** The values of an upload's `type`. */
export const uploadTypes = ['image', 'video', 'file'] as const;
export type UploadType = (typeof uploadTypes)[number];

/** One MB in limits and messages, in bytes. */
export const megabyte = 1_048_576;

/** Largest picture whose position is removed: it is held in memory. */
export const largestStrippedBytes = 100 * megabyte;

/** A size for messages, in MB. */
export const toMegabytes = (sizeBytes: number): number => Number((sizeBytes / megabyte).toPrecision(3));

/** Static configuration of uploads (specification, "Upload type configuration"). */
export const uploadConfig = {
  image: { extensions: ['jpg', 'jpeg', 'png', 'gif', 'bmp', 'webp', 'svg'], maxSizeBytes: 5 * megabyte },
  video: { extensions: ['mp4', 'mov', 'avi', 'wmv', 'mkv', 'webm'], maxSizeBytes: 50 * megabyte },
  file: {
    extensions: ['pdf', 'doc', 'docx', 'xls', 'xlsx', 'ppt', 'pptx', 'zip', 'rar', 'txt', 'md'],
    maxSizeBytes: 20 * megabyte,
  },
} as const satisfies Record<UploadType, { extensions: readonly string[]; maxSizeBytes: number }>;

/** An extension that a type allows, in lower case, without the dot. */
export type UploadExtension = (typeof uploadConfig)[UploadType]['extensions'][number];

/** Most bytes of each type; operators may override the configured ones. */
export type UploadLimits = Record<UploadType, number>;

const office = 'application/vnd.openxmlformats-officedocument';

/** MIME type by extension. Files are stored and served with it; the client's type is ignored. */
export const mimeTypes: Record<UploadExtension, string> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  bmp: 'image/bmp',
  webp: 'image/webp',
  svg: 'image/svg+xml',
  mp4: 'video/mp4',
  mov: 'video/quicktime',
  avi: 'video/x-msvideo',
  wmv: 'video/x-ms-wmv',
  mkv: 'video/x-matroska',
  webm: 'video/webm',
  pdf: 'application/pdf',
  doc: 'application/msword',
  docx: `${office}.wordprocessingml.document`,
  xls: 'application/vnd.ms-excel',
  xlsx: `${office}.spreadsheetml.sheet`,
  ppt: 'application/vnd.ms-powerpoint',
  pptx: `${office}.presentationml.presentation`,
  zip: 'application/zip',
  rar: 'application/vnd.rar',
  txt: 'text/plain',
  md: 'text/markdown',
};

export const uploadTransport = {
  /** Most file bytes of a form upload. A deployed function receives them as base64. */
  formLimitBytes: { deployed: 4_194_304, local: 10_000_000 },
  /** Most bytes of one part, and of one answer with a local file. */
  partSizeBytes: 4_194_304,
  /** How long a ticket of a direct upload is valid. */
  ticketSeconds: 3600,
  /** How long after its end an upload is not cleaned up: longer than any function runs. */
  graceSeconds: 900,
} as const;
