import type { APIGatewayProxyStructuredResultV2 as Answer } from 'aws-lambda';
import { environment } from '#shared/config/environment.ts';
import { AppError, describeLimit, toAppError } from '#shared/errors/app-error.ts';
import { toLanguageTag } from '#shared/i18n/locale.ts';
import { describeError, okMessages, type Texts } from '#shared/i18n/messages.ts';
import { log } from '#shared/log/log.ts';
import { convertMedia } from '#shared/media/convert-media.ts';
import { hasTag, RawAnswer, weakTag } from './raw-answer.ts';
import type { RequestContext, Step } from './request-context.ts';
import type { Route } from './route.ts';

/** Largest answer, in bytes; a function may return 6 MB (AWS Lambda, "Quotas"). */
const answerLimitBytes = 5_000_000;

/** Renders and logs every answer. @param name of the function, for the log */
export function answerStep(route: Route, name: string): Step {
  return {
    after(invoked) {
      const { request } = invoked.context;
      // `response` is still the result of the handler.
      const answer = renderSuccess(route, request, invoked.response ?? null);
      invoked.response = answer;
      logRequest(name, request, answer.statusCode);
    },
    async onError(invoked) {
      const { request } = invoked.context;
      const error = toAppError(invoked.error);
      // A closed site is not a failure.
      if (error.status >= 500 && error.code !== 'site.closed') {
        const fields = { request_id: request.requestId, function: name };
        log.error(error.code, { ...fields, error: error.cause ?? error });
      }
      invoked.response = renderFailure(route, request, error, await request.texts());
      logRequest(name, request, error.status, error.code);
    },
  };
}

/** @throws AppError `request.invalid` if the answer is too large to send */
function renderSuccess(route: Route, context: RequestContext, result: unknown): Answer {
  if (result instanceof RawAnswer) return renderRaw(context, result);
  const { locale, requestId, event } = context;
  // Media rule 1: answers contain full URLs instead of stored paths.
  const data = JSON.stringify(convertMedia(route.data, result));
  const headers = baseHeaders(context);
  if (route.conditional) {
    const etag = weakTag(`${locale} ${data}`);
    headers.etag = etag;
    headers['cache-control'] = route.conditional.cacheControl;
    headers.vary = 'Accept-Language, X-Language, Origin';
    if (hasTag(event.headers['if-none-match'], etag)) {
      delete headers['content-type'];
      return { statusCode: 304, headers };
    }
  }
  // Data may be large: render it once, for both the tag and the body.
  const [message, id] = [okMessages[locale], requestId].map((text) => JSON.stringify(text));
  const body = `{"code":"ok","message":${message},"data":${data},"request_id":${id}}`;
  if (Buffer.byteLength(body) > answerLimitBytes) {
    const params = { size: describeLimit(answerLimitBytes) };
    throw new AppError('request.invalid', { messageKey: 'rule.answer_size', params });
  }
  return { statusCode: 200, headers, body };
}

function renderRaw(context: RequestContext, { status, headers, body }: RawAnswer): Answer {
  const { 'content-type': _json, 'content-language': _language, ...base } = baseHeaders(context);
  const encoded = body && { body: Buffer.from(body).toString('base64'), isBase64Encoded: true };
  const page = headers['content-type']?.startsWith('text/html') && pageHeaders;
  return { statusCode: status, headers: { ...base, ...page, ...headers }, ...encoded };
}

function renderFailure(route: Route, context: RequestContext, error: AppError, texts: Texts): Answer {
  const { data, headers } = error;
  const { code, message, errors } = describeError(error, texts);
  const rendered = route.renderFailure?.({ status: error.status, code, message, errors }) ?? {
    status: error.status,
    body: { code, message, data, request_id: context.requestId, errors },
  };
  return {
    statusCode: rendered.status,
    headers: { ...baseHeaders(context), ...headers, ...rendered.headers },
    body: JSON.stringify(rendered.body),
  };
}

/** A page of another origin that opened one of ours, or was opened by it, gets no handle on it. */
const pageHeaders = { 'cross-origin-opener-policy': 'same-origin' };

/** Browsers ignore it over plain HTTP. Without `includeSubDomains`: other names of the domain are not ours. */
const secureHeaders = { 'strict-transport-security': 'max-age=31536000' };

function isSecureSite(): boolean {
  const { isDeployed, publicUrl } = environment();
  return isDeployed || publicUrl.startsWith('https:');
}

function baseHeaders({ requestId, locale, headers }: RequestContext): Record<string, string> {
  return {
    'content-type': 'application/json; charset=utf-8',
    'content-language': toLanguageTag(locale),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': requestId,
    ...(isSecureSite() && secureHeaders),
    ...headers,
  };
}

/** Whether this process has not answered a request yet. */
let isCold = true;

function logRequest(name: string, context: RequestContext, status = 200, code = 'ok'): void {
  const { event, requestId, startedAt } = context;
  const duration_ms = Math.round((performance.now() - startedAt) * 10) / 10;
  const fields = {
    request_id: requestId,
    function: name,
    // The template, not the path: the line must hold no text of clients.
    route: event.routeKey,
    method: event.requestContext.http.method,
    status,
    code,
    principal: context.principal?.id,
    duration_ms,
    cold_start: isCold,
  };
  log.info('request', fields, {
    Requests: 1,
    Duration: duration_ms,
    ...(isCold && { ColdStarts: 1 }),
    ...(status >= 500 && code !== 'site.closed' && { ServerErrors: 1 }),
    ...(status >= 400 && status < 500 && { ClientErrors: 1 }),
  });
  isCold = false;
}
