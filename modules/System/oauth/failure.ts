import { environment } from '#shared/config/environment.ts';
import { AppError } from '#shared/errors/app-error.ts';
import type { DescribedFailure } from '#shared/http/route.ts';
import { describeError, type Texts } from '#shared/i18n/messages.ts';
import { openToPages } from './answer.ts';
import type { VerifiedClient } from './authorization.ts';
import { addToRedirect } from './redirects.ts';

/** A failure as the endpoints of OAuth answer it (RFC 6749, section 5.2; RFC 7009, section 2.2.1). */
export function renderFailure(failure: DescribedFailure): {
  status: number;
  headers: Record<string, string>;
  body: { error: string; error_description: string };
} {
  const { code, status, message, errors = [] } = failure;
  const details = errors.map((each) => `${each.path}: ${each.message}`);
  const body = { error: nameError(code, status), error_description: toPlainText([message, ...details]) };
  return { status: status === 422 ? 400 : status, headers: openToPages, body };
}

/** The standard's name of a failure. */
function nameError(code: string, status: number): string {
  if (code === 'oauth.token_reused') return 'invalid_grant';
  if (code.startsWith('oauth.')) return code.slice('oauth.'.length);
  if (status === 429 || status === 503) return 'temporarily_unavailable';
  return status >= 500 ? 'server_error' : 'invalid_request';
}

/** Only the characters that `error_description` may have. */
const toPlainText = (sentences: readonly string[]): string =>
  sentences
    .join('; ')
    .replaceAll('"', "'")
    .replace(/[^\x20-\x5b\x5d-\x7e]/g, '?');

/** The URL that passes a fault on to a verified client (RFC 6749, section 4.1.2.1). @throws what is no AppError */
export function refuseToClient(
  error: unknown,
  { redirectUri }: VerifiedClient,
  state: string | undefined,
  texts: Texts,
): string {
  if (!(error instanceof AppError)) throw error;
  const { body } = renderFailure({ status: error.status, ...describeError(error, texts) });
  return addToRedirect(redirectUri, { ...body, state, iss: environment().publicUrl });
}
