import jsonBodyParser from '@middy/http-json-body-parser';
import { AppError } from '#shared/errors/app-error.ts';
import { exchangeOf, type Step } from '../exchange.ts';
import { measureBody } from '../peek-body.ts';

const parser = jsonBodyParser();

/** Parses the JSON body of a POST whose route takes one; an empty body is `{}`. */
export function bodyStep(): Step {
  return {
    async before(request) {
      const exchange = exchangeOf(request);
      if (!exchange.route.body) return;
      if (measureBody(request.event) > exchange.bodyLimitBytes) throw new AppError('request.too_large');
      if (!request.event.body?.trim()) {
        exchange.body = {};
        return;
      }
      try {
        await parser.before?.(request as never);
      } catch (cause) {
        throw refusal(cause);
      }
      exchange.body = request.event.body;
    },
  };
}

function refusal(cause: unknown): AppError {
  const isUnsupported = cause instanceof Error && 'statusCode' in cause && cause.statusCode === 415;
  if (!isUnsupported) return new AppError('request.malformed', { cause });
  return new AppError('request.unsupported_media_type', { cause, params: { expected: 'application/json' } });
}
