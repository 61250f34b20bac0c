import { listGates } from '#shared/http/gates.ts';
import { rawAnswer } from '#shared/http/raw-answer.ts';
import type { DescribedAnswer, Route } from '#shared/http/route.ts';
import { sampleRequestId } from './examples.ts';
import { referToHeaders } from './headers.ts';
import type { Json, SchemaWriter } from './json-schema.ts';
import type { Edition } from './texts.ts';

/** The successful answers of a route, by HTTP status. */
export function describeAnswers(route: Route, edition: Edition, writer: SchemaWriter): Json {
  if (route.data === rawAnswer) return describeRaw(route, edition, writer);
  const { conditional } = route;
  const headers = referToHeaders([
    'x-request-id',
    'content-language',
    ...(conditional ? ['etag', 'cache-control', 'vary'] : []),
    ...listGates(route).flatMap((gate) => gate.headers ?? []),
  ]);
  const success = {
    description: edition.t('ok'),
    headers,
    content: { 'application/json': describeEnvelope(route, edition, writer) },
  };
  return {
    200: success,
    ...(conditional && { 304: { $ref: '#/components/responses/NotModified' } }),
  };
}

function describeEnvelope(route: Route, edition: Edition, writer: SchemaWriter): Json {
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
        message: edition.t('ok'),
        data: sample,
        request_id: sampleRequestId,
      },
    }),
  };
}

/** The default answer of a route without an envelope. */
const anyBytes: DescribedAnswer = {
  status: 200,
  description: { zh_CN: '无信封的内容', en: 'Content without an envelope' },
  contentType: '*/*',
};

function describeRaw({ reference = {} }: Route, { locale }: Edition, writer: SchemaWriter): Json {
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
