import { defineErrors } from '#shared/errors/app-error.ts';

export default defineErrors({
  // a login is refused: the same answer, in about the same time, whether the account exists or not
  'auth.credentials_invalid': 401,
  // a login by code is refused: the code is wrong, used, expired or for another scene
  'auth.code_invalid': 401,
  // the challenge of a login is wrong, used, expired, void after five tries, or its administrator has changed since
  'auth.challenge_invalid': 401,
  // the login at the provider began in another browser, took too long, was used before, or was refused there
  'auth.sso_invalid': 401,
  'auth.sso_unknown': 401, // the account of the provider belongs to no administrator
  // the invitation is wrong, used, expired or revoked, or the administrator who has invited lacks the rights for it
  'auth.invitation_invalid': 401,
  'sso.off': 409, // no OpenID provider is set up
  'sso.provider_failed': 502, // the OpenID provider is not reachable, refuses, or sends an unusable answer
  'sso.bound': 409, // the account of the provider, or the administrator, is bound already
  'sso.not_bound': 409, // no account of a provider is bound
  'sso.needs_password': 409, // without a password, the administrator could not log in any more
  'factor.off': 409, // the setting `login.two_factor` allows no new second factor
  'factor.not_set': 409, // the administrator has no second factor
  'factor.required': 409, // the setting `login.two_factor` does not allow its removal
  'passkey.not_found': 404, // the administrator has no passkey with this ID
  'passkey.exists': 409, // the administrator has this passkey
  'passkey.too_many': 409, // the administrator has ten passkeys
  'auth.captcha_required': 422, // the captcha must be solved first
  'auth.captcha_invalid': 422, // the captcha's token or solution is wrong, used or expired
  'admin.not_found': 404, // no administrator has this ID
  'admin.account_exists': 409, // an administrator with this account exists
  // the request would disable, delete or demote the last enabled super administrator
  'admin.last_super': 409,
  // administrators cannot disable or delete themselves, change their own roles, or edit a role that they hold
  'admin.self': 409,
  'role.not_found': 404, // no role has this ID
  'role.in_use': 409, // a role is to be deleted while administrators have it; the message counts them
  // the caller lacks permissions that a role or another administrator holds or shall get; `errors` lists them
  'role.exceeds': 403,
  'job.not_found': 404, // no enabled module has a job of this name
  'job.running': 409, // the job runs at this moment
  'view.not_found': 404, // the page has no view with this ID
  'view.exists': 409, // a view of the page has this name
  'user.not_found': 404, // no user has this ID
  'user.mobile_exists': 409, // another user has this mobile number
  'file.not_found': 404, // no file record has this ID
  'file.category_not_found': 404, // no file category has this ID
  'file.category_not_empty': 409, // the file category still holds files or categories
  'upload.type_unknown': 422, // `type` is not a file type
  'upload.extension_not_allowed': 422, // the file's extension is not one of its type's
  'upload.content_mismatch': 422, // the content is not what the extension says
  // the file holds active content: scripts, event handlers, foreign markup, macros
  'upload.active_content': 422,
  'upload.empty': 422, // the file has no content
  'upload.too_large': 413, // the file is above its type's limit
  // a direct upload's ticket is unknown, expired, of another caller, or its file is deleted
  'upload.ticket_invalid': 409,
  // a direct upload is completed before the whole file is stored, or the stored size differs from the declared one
  'upload.incomplete': 409,
  // a part does not begin where the received bytes end; `errors[0].message` is the expected offset; also if
  // the upload is deleted while a part of it is stored
  'upload.offset_conflict': 409,
  // guests may not upload files of this type, or none at all, or not directly (setting `upload.guests`)
  'upload.guest_denied': 403,
  // guests have stored the most bytes of a day, of this address or of the site; `Retry-After` is the end of the day
  'upload.quota_exceeded': 429,
  // the file is no picture that can be made smaller, or cannot be read: damaged, too many pixels, too slow
  'file.no_variants': 422,
  'storage.file_not_found': 404, // no local file lies at this path
  'storage.link_invalid': 403, // the link to a private file is not signed for it, or has expired
  'range.invalid': 416, // the `Range` begins after the end of the file; `Content-Range` has the size
  'storage.range_required': 413, // the file is too large for one answer, and the request has no `Range`
  'ai.disabled': 503, // the assistant is switched off
  'ai.not_configured': 503, // the assistant lacks settings
  'ai.provider_failed': 502, // the AI provider is not reachable, refuses, or sends an unusable answer
  // a confirm token is unknown, used, expired, of another administrator, or of another call
  'tool.confirm_invalid': 422,
  'tool.declined': 403, // the user of an MCP client was asked and did not agree to the call
  // a parameter is missing or wrong; `errors` names it. `/oauth/…` answers these codes without the envelope, as
  // `error` and without `oauth.` (RFC 6749)
  'oauth.invalid_request': 400,
  // the client is not registered, or its metadata document cannot be read or is wrong; the message has the reason
  'oauth.invalid_client': 400,
  // a code or refresh token is wrong, expired, used, revoked, of another client, or its administrator is disabled
  'oauth.invalid_grant': 400,
  // a code or refresh token was used before, so its connection has ended; as `error`, `invalid_grant`
  'oauth.token_reused': 400,
  'oauth.invalid_scope': 400, // a scope is unknown, or more than was granted
  'oauth.invalid_target': 400, // `resource` is not the URL of the MCP server
  'oauth.unsupported_response_type': 400, // `response_type` is not `code`
  'oauth.unsupported_grant_type': 400, // `grant_type` is neither `authorization_code` nor `refresh_token`
  'oauth.client_not_found': 404, // no client with this ID is registered
  'sms.failed': 502, // the provider did not accept the message
  'wechat.failed': 502, // WeChat is not reachable, or refuses
});
