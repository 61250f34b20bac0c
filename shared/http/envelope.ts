import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { AppError } from '#shared/errors/app-error.ts';
import { describeLimit } from '#shared/errors/too-large.ts';
import { describeError } from '#shared/i18n/describe-error.ts';
import { toLanguageTag } from '#shared/i18n/locale.ts';
import { convertMedia } from '#shared/media/convert-media.ts';
import { hasTag, weakTag } from './etag.ts';
import type { Exchange } from './exchange.ts';
import { RawAnswer } from './raw-answer.ts';

function baseHeaders({ requestId, locale, headers }: Exchange): Record<string, string> {
  return {
    'content-type': 'application/json; charset=utf-8',
    'content-language': toLanguageTag(locale),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': requestId,
    ...headers,
  };
}

/** Largest answer, in bytes; a function may return 6 MB (AWS Lambda, "Quotas"). */
const answerLimitBytes = 5_000_000;

/**
 * The answer of a handler that returned `result`.
 *
 * @throws AppError `request.invalid` if it would be too large to send
 */
export function renderSuccess(exchange: Exchange, result: unknown = null): APIGatewayProxyStructuredResultV2 {
  const { route, t, requestId } = exchange;
  if (result instanceof RawAnswer) return renderRaw(exchange, result);
  // Media rule 1: stored paths leave as full URLs.
  const data = JSON.stringify(convertMedia(route.data, result, 'public'));
  const headers = baseHeaders(exchange);
  if (route.conditional) {
    const etag = weakTag(`${exchange.locale} ${data}`);
    headers.etag = etag;
    headers['cache-control'] = route.conditional.cacheControl;
    headers.vary = 'Accept-Language, X-Language, Origin';
    if (hasTag(exchange.event.headers['if-none-match'], etag)) {
      delete headers['content-type'];
      return { statusCode: 304, headers };
    }
  }
  // A dictionary may be large: it is rendered once for both.
  const [message, id] = [t('ok'), requestId].map((text) => JSON.stringify(text));
  const body = `{"code":"ok","message":${message},"data":${data},"request_id":${id}}`;
  if (Buffer.byteLength(body) > answerLimitBytes) throw refuseSize();
  return { statusCode: 200, headers, body };
}

function refuseSize(): AppError {
  const params = { size: describeLimit(answerLimitBytes) };
  return new AppError('request.invalid', { messageKey: 'rule.answer_size', params });
}

function renderRaw(
  exchange: Exchange,
  { status, headers, body }: RawAnswer,
): APIGatewayProxyStructuredResultV2 {
  const { 'content-type': _json, 'content-language': _language, ...base } = baseHeaders(exchange);
  const encoded = body && { body: Buffer.from(body).toString('base64'), isBase64Encoded: true };
  return { statusCode: status, headers: { ...base, ...headers }, ...encoded };
}

/** The answer for a refusal or failure. */
export function renderFailure(exchange: Exchange, error: AppError): APIGatewayProxyStructuredResultV2 {
  const { t, requestId } = exchange;
  const { data, status, headers } = error;
  const { code, message, errors } = describeError(error, t);
  const body = JSON.stringify({ code, message, data, request_id: requestId, errors });
  return { statusCode: status, headers: { ...baseHeaders(exchange), ...headers }, body };
}
