import { describeLimit } from '#shared/errors/app-error.ts';
import { json } from '#shared/http/body/json.ts';
import { rawAnswer } from '#shared/http/raw-answer.ts';
import type { LocalisedText } from '#shared/schema/component.ts';
import { fieldsOf, type Schema } from '#shared/schema/definition.ts';
import { type FoundRoute, limitBytesOf } from '../model.ts';
import { type Json, mapValues, refer, type SchemaWriter } from './json-schema.ts';
import type { Edition } from './texts.ts';

/** Path, query and header parameters of a route. */
export function describeParameters({ route, path }: FoundRoute, writer: SchemaWriter): Json[] {
  const { conditional, data, query, reference = {} } = route;
  const names = [
    ...(data === rawAnswer ? [] : ['X-Language']),
    ...(conditional ? ['If-None-Match'] : []),
    ...(reference.headers ?? []),
  ];
  return [
    ...[...path.matchAll(/\{(\w+)\+?\}/g)].map(([, name]) => {
      return { name, in: 'path', required: true, schema: { type: 'string' } };
    }),
    ...(query ? describeQuery(query, reference.example?.query, writer) : []),
    ...names.map((name) => refer('parameters', name)),
  ];
}

function describeQuery(query: Schema, sample: Record<string, string> = {}, writer: SchemaWriter): Json[] {
  const { required = [] } = writer.write(query, 'input');
  return Object.entries(fieldsOf(query)).map(([name, field]) => {
    const { description, ...schema } = writer.writeText(field);
    return {
      name,
      in: 'query',
      required: Array.isArray(required) && required.includes(name),
      ...(description !== undefined && { description }),
      // A list is one parameter, separated by commas.
      ...(schema.type === 'array' && { style: 'form', explode: false }),
      schema,
      ...(name in sample && { example: schema.type === 'array' ? sample[name]?.split(',') : sample[name] }),
    };
  });
}

/** The request body of a route; undefined for a route without a body. */
export function describeRequestBody(found: FoundRoute, { locale, writer }: Edition): Json | undefined {
  const { body, parser = json, reference = {} } = found.route;
  if (!body) return undefined;
  const sample = reference.example?.body;
  const isForm = parser.contentType !== json.contentType;
  const schema = isForm
    ? describeForm(body, Object(sample), writer)
    : writer.write(reference.body ?? body, 'input');
  const limitBytes = limitBytesOf(found);
  return {
    ...(Number.isFinite(limitBytes) && { description: `${atMost[locale]} ${describeLimit(limitBytes)}` }),
    // An empty JSON body is `{}`.
    required: isForm || isNeeded(schema),
    content: {
      // A form has samples for single fields only: files have no sample.
      [parser.contentType]: { schema, ...(sample !== undefined && !isForm && { example: sample }) },
    },
  };
}

const atMost: LocalisedText = { zh_CN: '最多', en: 'At most' };

const isNeeded = ({ type, required }: Json): boolean =>
  type !== 'object' || (Array.isArray(required) && required.length > 0);

/** A form's fields are text, its files are bytes. */
function describeForm(body: Schema, sample: Json, writer: SchemaWriter): Json {
  const { properties: _parsed, ...rest } = writer.write(body, 'input');
  const properties = mapValues(fieldsOf(body), (field, name) => ({
    ...writer.writeText(field),
    ...(name in sample && { examples: [sample[name]] }),
  }));
  return { ...rest, properties };
}
