import * as z from 'zod/mini';
import { sharedMessages } from '#shared/i18n/shared-messages.ts';
import { isUnique } from '#shared/records/fields/values.ts';
import { definitionOf, isOptional, type Schema, typeOf } from '#shared/schema/definition.ts';
import type { Hints } from '#shared/schema/titled.ts';
import { createSchemaWriter, type Json } from '../openapi/json-schema.ts';
import type { Field, FieldType, LocalisedText, Option } from './description.ts';
import { decideType, mergeHints } from './hints.ts';
import { type Layers, readLayers, type Side } from './layers.ts';

const writer = createSchemaWriter((key) => key);

/** The fields of an object, in their order; empty for any other schema. */
export function describeFields(schema: Schema | undefined, side: Side): Field[] {
  if (!schema) return [];
  const { core } = readLayers(schema, side);
  return typeOf(core) === 'object' ? describeShape(core, side, []) : [];
}

/** @param parents objects that hold this one */
function describeShape(schema: Schema, side: Side, parents: readonly unknown[]): Field[] {
  const def = definitionOf(schema);
  if (def.type !== 'object') return [];
  return (
    Object.entries(def.shape)
      .map(([name, field]) => describeField(name, field, side, [...parents, def.shape]))
      // They are shown in place of values.
      .filter(({ type }) => type !== 'labels')
  );
}

/**
 * @param parents objects that hold it
 * @param given the type that a declaration beside the schema says
 */
export function describeField(
  name: string,
  schema: Schema,
  side: Side,
  parents: readonly unknown[] = [],
  given?: FieldType,
): Field {
  const layers = readLayers(schema, side);
  const hints = mergeHints(layers.list);
  const type = decideType({ name, layers, side, core: () => writeCore(layers.core, side) }, given);
  const mayMiss = isOptional(schema, side === 'output' ? 'output' : 'input');
  return {
    name,
    label: readLabel(hints) ?? { zh_CN: name, en: name },
    type,
    required: !mayMiss,
    nullable: layers.isNullable,
    ...(side !== 'output' && layers.default !== undefined && { default: layers.default }),
    ...describeLimits(layers, side, type),
    ...(side !== 'output' && isUnique(schema) && { isUnique: true }),
    ...(type === 'enum' && { options: describeOptions(layers.core, hints) }),
    ...(type === 'dictionary' && { dictionary: hints.dictionary }),
    ...(type === 'money' && { currency: hints.currency }),
    ...(type === 'media' && { media: hints.media ?? 'file' }),
    ...(hints.refersTo !== undefined && { refersTo: hints.refersTo }),
    ...(type === 'list' && describeItems(layers.core, hints, side, parents)),
    ...(type === 'object' && { fields: describeShape(layers.core, side, parents) }),
  };
}

const readLabel = ({ zh_CN, en }: Partial<Hints>): LocalisedText | undefined =>
  zh_CN === undefined || en === undefined ? undefined : { zh_CN, en };

const writeCore = (core: Schema, side: Side): Json =>
  writer.write(core, side === 'output' ? 'output' : 'input', true);

/** Limits by the name of their keyword in JSON Schema. */
const limits = {
  minimum: 'min',
  maximum: 'max',
  minItems: 'min',
  maxItems: 'max',
  minLength: 'minLength',
  maxLength: 'maxLength',
  pattern: 'pattern',
} as const;

function describeLimits({ core }: Layers, side: Side, type: FieldType): Partial<Field> {
  // Answers are shown, not checked. The other types have limits of their own.
  if (side === 'output' || ['boolean', 'enum', 'object', 'record', 'time'].includes(type)) return {};
  const json = writeCore(core, side);
  const rule = 'pattern' in json ? readRule(core) : undefined;
  return {
    ...Object.fromEntries(
      Object.entries(limits).flatMap(([keyword, name]) => (keyword in json ? [[name, json[keyword]]] : [])),
    ),
    ...(rule && { rule }),
  };
}

/** The message of a pattern, which no text with a control character fits; undefined if the pattern has none of its own. */
function readRule(core: Schema): LocalisedText | undefined {
  const issues = z.safeParse(core, '\u0000').error?.issues ?? [];
  const key = issues.find(({ code }) => code === 'invalid_format')?.message ?? '';
  const { zh_CN, en } = sharedMessages;
  return zh_CN[key] && en[key] ? { zh_CN: zh_CN[key], en: en[key] } : undefined;
}

function describeOptions(core: Schema, { options = {} }: Partial<Hints>): Option[] {
  const def = definitionOf(core);
  const values = def.type === 'enum' ? Object.values(def.entries) : def.type === 'literal' ? def.values : [];
  return values.flatMap((value) => {
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return [];
    const word = String(value);
    return { value, label: options[word] ?? { zh_CN: word, en: word } };
  });
}

/** The items of a list; none if they are of the kind of an object that holds the list, as in a tree. */
function describeItems(core: Schema, hints: Partial<Hints>, side: Side, parents: readonly unknown[]) {
  const def = definitionOf(core);
  if (def.type !== 'array') return {};
  const item = definitionOf(readLayers(def.element, side).core);
  if (item.type === 'object' && parents.includes(item.shape)) return {};
  const described = describeField('', def.element, side, parents);
  const { refersTo } = hints;
  return { items: { ...described, ...(refersTo !== undefined && { refersTo }) } };
}
