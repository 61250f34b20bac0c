import jsonBodyParser from '@middy/http-json-body-parser';
import { AppError } from '#shared/errors/app-error.ts';
import type { BodyParser } from './body-parser.ts';

const contentType = 'application/json';
const parser = jsonBodyParser();

/** Reads a JSON body; an empty one is `{}`. */
export const json: BodyParser = {
  contentType,
  async parse(event) {
    if (!event.body?.trim()) return {};
    try {
      // It leaves what it made in place of the body.
      await parser.before?.({ event } as never);
    } catch (cause) {
      throw refusal(cause);
    }
    return event.body;
  },
};

function refusal(cause: unknown): AppError {
  const isUnsupported = cause instanceof Error && 'statusCode' in cause && cause.statusCode === 415;
  if (!isUnsupported) return new AppError('request.malformed', { cause });
  return new AppError('request.unsupported_media_type', { cause, params: { expected: contentType } });
}
