import type * as z from 'zod/mini';
import { rawAnswer } from '#shared/http/raw-answer.ts';
import type { Route, Schema } from '#shared/http/route.ts';
import { type Locale, locales } from '#shared/i18n/locale.ts';
import type { LocalisedText } from '#shared/schema/localised-text.ts';
import type { SchemaWriter } from './json-schema.ts';
import type { Json } from './types.ts';

/** Headers of requests, by their name among the components. */
const requestHeaders: Record<string, { description: LocalisedText; schema: Json }> = {
  'X-Language': {
    description: {
      zh_CN: '消息的语言，优先于 Accept-Language',
      en: 'Language of the messages; stands above `Accept-Language`',
    },
    schema: { type: 'string', enum: locales },
  },
  'If-None-Match': {
    description: {
      zh_CN: '上次得到的 ETag，内容未变时返回 304',
      en: 'The `ETag` of last time: 304 where nothing has changed',
    },
    schema: { type: 'string' },
  },
  'If-Range': {
    description: { zh_CN: 'ETag 相同时才按 Range 返回', en: 'The `ETag` that `Range` is meant of' },
    schema: { type: 'string' },
  },
  Range: {
    description: { zh_CN: '字节范围，如 bytes=0-1023', en: 'Range of bytes, as `bytes=0-1023`' },
    schema: { type: 'string' },
  },
};

/** The described headers of requests, for `components`. */
export function describeRequestHeaders(locale: Locale): Json {
  return Object.fromEntries(
    Object.entries(requestHeaders).map(([name, { description, schema }]) => [
      name,
      { name, in: 'header', required: false, description: description[locale], schema },
    ]),
  );
}

/** Parameters of a route: of its path, its query, and the headers that it makes something of. */
export function describeParameters(route: Route, path: string, writer: SchemaWriter): Json[] {
  const { conditional, data, query, reference = {} } = route;
  const names = [
    ...(data === rawAnswer ? [] : ['X-Language']),
    ...(conditional ? ['If-None-Match'] : []),
    ...(reference.headers ?? []),
  ];
  return [
    ...[...path.matchAll(/\{(\w+)\+?\}/g)].map(([, name]) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    })),
    ...(query ? describeQuery(query, reference.example?.query, writer) : []),
    ...names.map((name) => ({ $ref: `#/components/parameters/${name}` })),
  ];
}

function describeQuery(query: Schema, sample: Record<string, string> = {}, writer: SchemaWriter): Json[] {
  const { required = [] } = writer.write(query, 'input');
  return Object.entries(listFields(query)).map(([name, field]) => {
    const { description, ...schema } = writer.writeText(field);
    return {
      name,
      in: 'query',
      required: Array.isArray(required) && required.includes(name),
      ...(description !== undefined && { description }),
      // Lists stand in one parameter, separated by commas.
      ...(schema.type === 'array' && { style: 'form', explode: false }),
      schema,
      ...(name in sample && { example: schema.type === 'array' ? sample[name]?.split(',') : sample[name] }),
    };
  });
}

/** The fields of an object's schema. */
export function listFields(schema: Schema): Record<string, Schema> {
  // zod's own union of all its schemas, which it documents for walking them.
  const { def } = (schema as z.core.$ZodTypes)._zod;
  return def.type === 'object' ? def.shape : {};
}
