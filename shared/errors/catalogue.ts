/**
 * Every error code the service answers, with its HTTP status. A test keeps this list equal to
 * `docs/errors.md` and to the messages of each locale.
 */
export const errorCatalogue = {
  'request.invalid': 422,
  'request.malformed': 400,
  'request.unsupported_media_type': 415,
  'request.too_large': 413,
  'route.not_found': 404,
  'route.method_not_allowed': 405,
  'auth.token_missing': 401,
  'auth.token_invalid': 401,
  'auth.token_expired': 401,
  'auth.token_revoked': 401,
  'auth.principal_mismatch': 401,
  'auth.principal_disabled': 401,
  'auth.credentials_invalid': 401,
  'auth.code_invalid': 401,
  'auth.captcha_required': 422,
  'auth.captcha_invalid': 422,
  'site.closed': 503,
  'throttle.exceeded': 429,
  'dict.type_not_found': 404,
  'dict.item_not_found': 404,
  'dict.type_exists': 409,
  'dict.value_exists': 409,
  'dict.type_not_empty': 409,
  'dict.value_in_use': 409,
  'dict.type_full': 409,
  version_conflict: 409,
  'admin.not_found': 404,
  'admin.account_exists': 409,
  'admin.last_enabled': 409,
  'admin.self': 409,
  'user.not_found': 404,
  'user.mobile_exists': 409,
  'config.unknown_key': 422,
  'config.endpoint_denied': 422,
  'sms.failed': 502,
  'wechat.failed': 502,
  'database.unavailable': 503,
  'database.not_installed': 503,
  internal: 500,
} as const satisfies Record<string, number>;

/** A stable machine string that clients may switch on. */
export type ErrorCode = keyof typeof errorCatalogue;
