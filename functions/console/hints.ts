import { mediaRegistry } from '#shared/media/convert-media.ts';
import { toSafeHtml } from '#shared/media/media-html.ts';
import { type Schema, typeOf } from '#shared/schema/definition.ts';
import { marks } from '#shared/schema/marks.ts';
import { isReceivedFile } from '#shared/schema/received-file.ts';
import { type Hints, hints } from '#shared/schema/titled.ts';
import type { Json } from '../openapi/json-schema.ts';
import type { FieldType } from './description.ts';
import type { Layers, Side } from './layers.ts';

/** The hints of a field; the outer layers win. @param layers from the outermost to the core */
export const mergeHints = (layers: readonly Schema[]): Partial<Hints> =>
  Object.assign({}, ...layers.toReversed().map((layer) => hints.get(layer)));

const coreTypes: Partial<Record<string, FieldType>> = {
  array: 'list',
  boolean: 'boolean',
  enum: 'enum',
  literal: 'enum',
  object: 'object',
  record: 'record',
};

/**
 * The type of a field, the only place that decides it: what its declaration says, else what its layers are marked with,
 * else its core schema. The console's `fields/kinds.ts` says what each type looks like.
 *
 * @param given by a declaration beside the schema, such as that of a setting
 * @param core as JSON Schema
 */
export function decideType(
  { name, layers, side, given }: { name: string; layers: Layers; side: Side; given?: FieldType | undefined },
  core: () => Json,
): FieldType {
  const known = given ?? findMarkedType(layers.list) ?? coreTypes[typeOf(layers.core)];
  if (known) return known;
  const { type, format } = core();
  if (format === 'date-time') return 'time';
  if (type === 'integer' || type === 'number') return type;
  if (type !== 'string') return 'any';
  // An answer's own ID is shown as one, also without a mark.
  return side === 'output' && name === 'id' ? 'id' : 'text';
}

/** The type of a field that its layers are marked with; undefined if they have no mark. */
function findMarkedType(layers: readonly Schema[]): FieldType | undefined {
  if (layers.some((layer) => marks.get(layer)?.mark === 'secret')) return 'secret';
  const { dictionary, type } = mergeHints(layers);
  if (type) return type;
  if (dictionary !== undefined) return 'dictionary';
  if (layers.some(isReceivedFile)) return 'file';
  const [media] = layers.flatMap((layer) => mediaRegistry.get(layer) ?? []);
  if (!media) return undefined;
  return media.public === toSafeHtml ? 'html' : 'media';
}
