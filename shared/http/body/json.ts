import jsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { AppError } from '#shared/errors/app-error.ts';
import type { BodyParser } from '../request-context.ts';

const contentType = 'application/json';

/** Size of a body as the client sent it, in bytes. */
export function measureBody({ body, isBase64Encoded }: APIGatewayProxyEventV2): number {
  // Without a body, the gateway sends no field, and serverless-offline sends null.
  return body ? Buffer.byteLength(body, isBase64Encoded ? 'base64' : 'utf8') : 0;
}

/** A body as text; bytes that are not UTF-8 become U+FFFD. */
export function readBody({ body, isBase64Encoded }: APIGatewayProxyEventV2): string {
  return body ? Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8').toString() : '';
}

/** @throws AppError `request.unsupported_media_type`; types such as `application/vnd.api+json` are JSON too */
function requireJson({ headers }: APIGatewayProxyEventV2): void {
  if (/^application\/(.+\+)?json\s*(;|$)/i.test(headers['content-type'] ?? '')) return;
  throw new AppError('request.unsupported_media_type', { params: { expected: contentType } });
}

// The parser's own check refuses a space before the semicolon, which RFC 9110 allows.
const parser = jsonBodyParser<APIGatewayProxyEventV2>({ disableContentTypeCheck: true });

/** Reads a JSON body; an empty one is `{}`, with any content type. Keys that would change a prototype are refused. */
export const json: BodyParser = {
  contentType,
  refusals: ['request.malformed', 'request.unsupported_media_type'],
  async read(request) {
    const { event } = request;
    if (!/[^ \t\r\n]/.test(event.body ?? '')) return {};
    requireJson(event);
    try {
      await parser.before?.(request);
    } catch {
      // The parser's error holds the body, so it must not be logged.
      throw new AppError('request.malformed');
    }
    // The parser has replaced the text with its value.
    return event.body;
  },
};

/** Passes the text of a JSON body as `text`, for routes that answer unreadable JSON themselves. */
export const jsonText: BodyParser = {
  contentType,
  refusals: ['request.unsupported_media_type'],
  read({ event }) {
    requireJson(event);
    return { text: readBody(event) };
  },
};
