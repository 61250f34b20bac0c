import { mediaRegistry } from '#shared/media/convert-media.ts';
import { toSafeHtml } from '#shared/media/media-html.ts';
import { type Schema, typeOf } from '#shared/schema/definition.ts';
import { marks } from '#shared/schema/marks.ts';
import { isReceivedFile } from '#shared/schema/received-file.ts';
import { type Hints, hints } from '#shared/schema/titled.ts';
import type { Json } from '../openapi/json-schema.ts';
import type { Layers, Side } from './layers.ts';

/** The hints of a field; the outer layers win. @param layers from the outermost to the core */
export const mergeHints = (layers: readonly Schema[]): Partial<Hints> =>
  Object.assign({}, ...layers.toReversed().map((layer) => hints.get(layer)));

interface Described {
  name: string;
  layers: Layers;
  side: Side;
  /** Its core, as JSON Schema. */
  core(): Json;
}

const isCore = (type: string) => (field: Described) => typeOf(field.layers.core) === type;
const isJson = (type: string) => (field: Described) => field.core().type === type;
const findMedia = ({ layers }: Described) =>
  layers.list.flatMap((layer) => mediaRegistry.get(layer) ?? [])[0];
const onlyDeclared = () => false;

/**
 * All types of fields, each with its rule: the first that holds decides. The console has a file for each type,
 * `console/fields/…/TYPE.kind.ts`, which says what it looks like.
 */
const rules = {
  secret: ({ layers }) => layers.list.some((layer) => marks.get(layer)?.mark === 'secret'),
  multiline: onlyDeclared,
  bytes: onlyDeclared,
  colour: onlyDeclared,
  money: onlyDeclared,
  date: onlyDeclared,
  labels: onlyDeclared,
  dictionary: ({ layers }) => mergeHints(layers.list).dictionary !== undefined,
  file: ({ layers }) => layers.list.some(isReceivedFile),
  html: (field) => findMedia(field)?.public === toSafeHtml,
  media: (field) => findMedia(field) !== undefined,
  list: isCore('array'),
  boolean: isCore('boolean'),
  enum: (field) => isCore('enum')(field) || isCore('literal')(field),
  object: isCore('object'),
  record: isCore('record'),
  time: ({ core }) => core().format === 'date-time',
  integer: isJson('integer'),
  number: isJson('number'),
  // An answer's own ID is shown as one, also without a mark.
  id: (field) => field.side === 'output' && field.name === 'id' && isJson('string')(field),
  text: isJson('string'),
  any: () => true,
} satisfies Record<string, (field: Described) => boolean>;

export type FieldType = keyof typeof rules;

declare module '#shared/schema/titled.ts' {
  /** Types that a declaration names, if they do not follow from the schema: `titled({ …, type: 'bytes' }, schema)`. */
  interface DeclaredTypes {
    id: true;
    multiline: true;
    boolean: true;
    bytes: true;
    colour: true;
    date: true;
    labels: true;
    money: true;
    time: true;
  }
}

export const fieldTypes = Object.keys(rules).filter((name): name is FieldType => Object.hasOwn(rules, name));

/**
 * The type of a field: what its declaration says, else what a rule finds.
 *
 * @param given by a declaration beside the schema, such as that of a setting
 */
export function decideType(field: Described, given?: FieldType): FieldType {
  if (given) return given;
  const { type: declared } = mergeHints(field.layers.list);
  if (declared && !rules.secret(field)) return declared;
  return fieldTypes.find((name) => rules[name](field)) ?? 'any';
}
