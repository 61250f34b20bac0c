import { describeLimit } from '#shared/errors/too-large.ts';
import { bodyLimitOf } from '#shared/http/body/body-limit.ts';
import { json } from '#shared/http/body/json.ts';
import type { Route, Schema } from '#shared/http/route.ts';
import type { Locale } from '#shared/i18n/locale.ts';
import type { LocalisedText } from '#shared/schema/localised-text.ts';
import type { SchemaWriter } from './json-schema.ts';
import { listFields } from './parameters.ts';
import type { Json } from './types.ts';

/** The body that a route takes; undefined where it takes none. */
export function describeRequestBody(route: Route, locale: Locale, writer: SchemaWriter): Json | undefined {
  const { body, parser = json, reference = {} } = route;
  if (!body) return undefined;
  const sample = reference.example?.body;
  const isForm = parser.contentType === 'multipart/form-data';
  const schema = isForm
    ? describeForm(body, Object(sample), writer)
    : writer.write(reference.body ?? body, 'input');
  const limitBytes = bodyLimitOf(route);
  return {
    ...(Number.isFinite(limitBytes) && { description: `${atMost[locale]} ${describeLimit(limitBytes)}` }),
    // An empty JSON body is `{}`.
    required: isForm || isNeeded(schema),
    content: {
      // Of a form only the fields have samples: a file has none.
      [parser.contentType]: { schema, ...(sample !== undefined && !isForm && { example: sample }) },
    },
  };
}

const atMost: LocalisedText = { zh_CN: '最多', en: 'At most' };

const isNeeded = ({ type, required }: Json): boolean =>
  type !== 'object' || (Array.isArray(required) && required.length > 0);

/** A form's fields travel as text, beside its files. */
function describeForm(body: Schema, sample: Json, writer: SchemaWriter): Json {
  const { properties: _parsed, ...rest } = writer.write(body, 'input');
  const fields = Object.entries(listFields(body)).map(([name, field]) => [
    name,
    { ...writer.writeText(field), ...(name in sample && { examples: [sample[name]] }) },
  ]);
  return { ...rest, properties: Object.fromEntries(fields) };
}
