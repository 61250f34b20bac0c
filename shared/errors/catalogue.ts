/**
 * The error codes of the platform, with their HTTP status; modules declare their own in `errors.ts`. `npm run docs`
 * writes the comment of each code to `docs/errors.md`.
 */
export const errorCatalogue = {
  // query, path or body does not fit the schema, also for a missing or an unknown field of a JSON body;
  // `errors` lists the first 100 places, the message has the total. Also a query of more than 200
  // parameters, and a request whose answer would be larger than 5 MB
  'request.invalid': 422,
  'request.malformed': 400, // the JSON or multipart body cannot be read
  'request.unsupported_media_type': 415, // a body of another content type
  // the body is above [the route's limit](api.md#limits-of-a-body), which the message names; for a form it
  // names `upload/direct` too
  'request.too_large': 413,
  'route.not_found': 404, // the path is unknown
  'route.method_not_allowed': 405, // the path does not take this method; `Allow` lists its methods
  // a route that requires a login is called without a token; `WWW-Authenticate: Bearer`, as for the other
  // tokens' codes
  'auth.token_missing': 401,
  'auth.token_invalid': 401, // this service did not make the token, or it was changed
  'auth.token_expired': 401, // the session reached its absolute end, or was not used for too long
  'auth.token_revoked': 401, // the session was logged out, or ended by a change of password or by disabling
  'auth.principal_mismatch': 401, // a valid token of the other kind of principal
  'auth.principal_disabled': 401, // the administrator or user is disabled or gone
  'site.closed': 503, // the site is closed; `Retry-After: 60`, and the close message as `message`
  // a [limit of the route](api.md#limits-of-requests) is used up; with `Retry-After` and the `RateLimit-*`
  // headers
  'throttle.exceeded': 429,
  'dict.type_not_found': 404, // no dictionary type has this key
  'dict.item_not_found': 404, // the dictionary type has no item with this value
  'dict.type_exists': 409, // a dictionary type with this key exists
  'dict.value_exists': 409, // the dictionary type has an item with this value
  'dict.type_not_empty': 409, // a dictionary type is to be deleted while it has items
  // a value that records use is to be deleted or changed without `force`; `errors` counts them by module
  'dict.value_in_use': 409,
  'dict.type_full': 409, // a dictionary type would hold more than 10,000 items
  // another import of the dictionary type is running, or was interrupted less than a minute ago; the
  // interrupted request itself may be repeated at once
  'dict.import_running': 409,
  'record.not_found': 404, // no record of the kind has this ID
  'record.exists': 409, // a record with this ID exists; an import that is repeated has added it before
  'record.taken': 409, // another record has a text that must be unique; `errors` names the field
  'job.lost': 409, // a run took longer than its function may, and another run of the job has taken over
  'job.stopped': 500, // the function of a job was killed three times for the same due time
  'job.missed': 500, // a job did not run at a due time
  version_conflict: 409, // the record has changed since it was read
  'config.unknown_key': 422, // no module declares this setting
  'config.endpoint_denied': 422, // the address of a setting is on a private network or on this machine
  'storage.unavailable': 502, // the storage engine cannot be reached, or refuses the request
  'storage.not_configured': 500, // the storage engine is unknown, lacks settings, or has no writable folder
  // the administrator's roles do not cover the route or tool; `errors[0].path` is the missing permission
  'auth.permission_denied': 403,
  // the second factor was given more than 10 minutes ago; of a login that waits for it, in the audit log only
  'auth.factor_required': 403,
  'auth.scope_insufficient': 403, // an API token is used outside of its scope
  'auth.origin_denied': 403, // an MCP call comes from a foreign browser origin
  'tool.not_registered': 404, // no enabled module has a tool of this name
  'tool.arguments_invalid': 422, // the arguments do not fit the tool's schema; `errors` lists each place
  'tool.failed': 502, // the tool failed, or its result is not JSON or too large; the cause is logged
  'tool.timeout': 504, // the tool did not answer in time
  'audit.not_found': 404, // the audit log has no entry with this ID, or it has expired
  'database.unavailable': 503, // the database cannot be reached, or is overloaded
  'database.not_installed': 503, // the table does not exist: run the installation
  internal: 500, // anything unexpected; the cause is logged with the request ID and never shown
} as const satisfies Record<string, number>;

export type ErrorCode = keyof typeof errorCatalogue;
