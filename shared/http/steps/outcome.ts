import { AppError } from '#shared/errors/app-error.ts';
import { log } from '#shared/log/log.ts';
import { isParserError } from '../body/json.ts';
import { renderFailure, renderSuccess } from '../envelope.ts';
import { type Exchange, exchangeOf, type Step } from '../exchange.ts';

/** Last word on every request: the envelope around what the handler returned or what was thrown. */
export function outcomeStep(): Step {
  return {
    after(request) {
      const exchange = exchangeOf(request);
      // Until here `response` is what the handler returned.
      const response = renderSuccess(exchange, request.response);
      request.response = response;
      logRequest(exchange, response.statusCode);
    },
    onError(request) {
      const exchange = exchangeOf(request);
      const error = toAppError(request.error);
      // A closed site answers 503 by intent: nothing has failed.
      if (error.status >= 500 && error.code !== 'site.closed') {
        log.error(error.code, { ...describe(exchange), error: error.cause ?? error });
      }
      request.response = renderFailure(exchange, error);
      logRequest(exchange, error.status, error.code);
    },
  };
}

function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  return isParserError(error)
    ? new AppError('request.malformed')
    : new AppError('internal', { cause: error });
}

function describe({ requestId, name }: Exchange) {
  return { request_id: requestId, function: name };
}

/** Whether this process has answered nothing yet. */
let isCold = true;

function logRequest(exchange: Exchange, status = 200, code = 'ok'): void {
  const { event, startedAt, caller } = exchange;
  const duration_ms = Math.round((performance.now() - startedAt) * 10) / 10;
  const fields = {
    ...describe(exchange),
    // The template, so that nothing that a client has written is in the line.
    route: event.routeKey,
    method: event.requestContext.http.method,
    status,
    code,
    principal: caller.adminId ?? caller.userId,
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
