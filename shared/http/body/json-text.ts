import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { BodyParser } from './body-parser.ts';
import { jsonType, requireJson } from './require-json.ts';

/**
 * Hands a body of JSON on as it is, under `text`; for routes that have an answer of their own to one that
 * cannot be read.
 *
 * @param limitBytes largest body that is taken
 */
export function jsonText(limitBytes: number): BodyParser {
  return {
    contentType: jsonType,
    limitBytes,
    refusals: ['request.unsupported_media_type'],
    async parse(event) {
      requireJson(event);
      return { text: readBody(event) };
    },
  };
}

/** A body as text; what is no UTF-8 in it stands as U+FFFD. */
export function readBody({ body, isBase64Encoded }: APIGatewayProxyEventV2): string {
  return body ? Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8').toString() : '';
}
