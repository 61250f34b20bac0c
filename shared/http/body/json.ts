import jsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { AppError } from '#shared/errors/app-error.ts';
import { exchangeOf, type Step } from '../exchange.ts';
import type { BodyParser } from './body-parser.ts';
import { readBody } from './raw-body.ts';

const contentType = 'application/json';

/** @throws AppError `request.unsupported_media_type`; types such as `application/vnd.api+json` are JSON too */
function requireJson({ headers }: APIGatewayProxyEventV2): void {
  if (/^application\/(.+\+)?json\s*(;|$)/i.test(headers['content-type'] ?? '')) return;
  throw new AppError('request.unsupported_media_type', { params: { expected: contentType } });
}

const checkType: Step = {
  before({ event }) {
    if (/[^ \t\r\n]/.test(event.body ?? '')) return requireJson(event);
    // An empty body is `{}`, whatever its type.
    Object.assign(event, { body: '{}', isBase64Encoded: false });
  },
};

const keepValue: Step = {
  before(request) {
    // The parser has replaced the text by its value.
    exchangeOf(request).body = request.event.body;
  },
};

// Its own check refuses a blank before the semicolon, which RFC 9110 allows.
const parse = jsonBodyParser<APIGatewayProxyEventV2>({ disableContentTypeCheck: true });

/** Reads a JSON body; an empty one is `{}`. Keys that would change a prototype are refused. */
export const json: BodyParser = { contentType, steps: [checkType, parse, keepValue] };

/** Whether the JSON parser threw this error. Its cause holds the body, so it must not be logged. */
export const isParserError = (error: unknown): boolean =>
  error instanceof Error && Object(error.cause).package === '@middy/http-json-body-parser';

/** Gives a handler the text of a JSON body under `text`; for routes that answer unreadable JSON themselves. */
export const jsonText: BodyParser = {
  contentType,
  refusals: ['request.unsupported_media_type'],
  steps: [
    {
      before(request) {
        requireJson(request.event);
        exchangeOf(request).body = { text: readBody(request.event) };
      },
    },
  ],
};
