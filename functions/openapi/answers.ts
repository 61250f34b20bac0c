import { listGates } from '#shared/http/gates.ts';
import { rawAnswer } from '#shared/http/raw-answer.ts';
import type { DescribedAnswer, Route } from '#shared/http/route.ts';
import type { Locale } from '#shared/i18n/locale.ts';
import { createTranslate } from '#shared/i18n/messages.ts';
import { sampleRequestId } from './examples.ts';
import { referToHeaders } from './headers.ts';
import type { Json, SchemaWriter } from './json-schema.ts';

/** What a route answers when all is well, by HTTP status. */
export function describeAnswers(route: Route, locale: Locale, writer: SchemaWriter): Json {
  if (route.data === rawAnswer) return describeRaw(route, locale, writer);
  const { conditional } = route;
  const headers = referToHeaders([
    'x-request-id',
    'content-language',
    ...(conditional ? ['etag', 'cache-control', 'vary'] : []),
    ...listGates(route).flatMap((gate) => gate.headers ?? []),
  ]);
  const success = {
    description: createTranslate(locale)('ok'),
    headers,
    content: { 'application/json': describeEnvelope(route, locale, writer) },
  };
  return {
    200: success,
    ...(conditional && { 304: { $ref: '#/components/responses/NotModified' } }),
  };
}

function describeEnvelope(route: Route, locale: Locale, writer: SchemaWriter): Json {
  const sample = route.reference?.example?.data;
  return {
    schema: {
      type: 'object',
      properties: {
        code: { type: 'string', const: 'ok' },
        message: { $ref: '#/components/schemas/Message' },
        data: writer.write(route.data, 'output'),
        request_id: { $ref: '#/components/schemas/RequestId' },
      },
      required: ['code', 'message', 'data', 'request_id'],
      additionalProperties: false,
    },
    ...(sample !== undefined && {
      example: {
        code: 'ok',
        message: createTranslate(locale)('ok'),
        data: sample,
        request_id: sampleRequestId,
      },
    }),
  };
}

/** Bytes of whatever kind, for a route that tells no more. */
const anyBytes: DescribedAnswer = {
  status: 200,
  description: { zh_CN: '无信封的内容', en: 'Content without an envelope' },
  contentType: '*/*',
};

function describeRaw({ reference = {} }: Route, locale: Locale, writer: SchemaWriter): Json {
  const { answers = [anyBytes] } = reference;
  return Object.fromEntries(
    answers.map(({ status, description, contentType, schema, headers = [] }) => [
      status,
      {
        description: description[locale],
        headers: referToHeaders(['x-request-id', ...headers]),
        ...(contentType && {
          content: {
            [contentType]: {
              schema: schema ? writer.write(schema, 'output') : { type: 'string', format: 'binary' },
            },
          },
        }),
      },
    ]),
  );
}
