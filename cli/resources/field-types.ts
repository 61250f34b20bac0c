/** How a type of field is written in the source of a record. */
interface TypeOfField {
  /** What it takes in brackets. */
  argument?: { example: string; fallback?: string; fits(text: string): boolean };
  /** What lists can do with it. */
  can?: readonly ('filter' | 'search' | 'unique')[];
  /** A new record may leave it out, if nothing else is said. */
  isOptional?: true;
  /** The schema. */
  code(argument: string): string;
  /** Names that the schema needs, by file. */
  imports: Readonly<Record<string, readonly string[]>>;
  /** Further hints in its label. */
  hints?: string;
  /** It names stored files; example data has none. */
  isStored?: true;
  /** A value for tests and example data, as source text; undefined if it must name another record. */
  sample?(argument: string): string;
}

const isNumber = (text: string): boolean => /^[1-9]\d{0,4}$/.test(text);
const isRange = (text: string): boolean => {
  const [, min, max] = /^(-?\d{1,15}),(-?\d{1,15})$/.exec(text) ?? [];
  return min !== undefined && Number(min) < Number(max);
};
const record = (name: string) => ({ [`#modules/System/public/${name}-ref.ts`]: [`${name}Ref`] });
const media = { '#shared/media/media-url.ts': ['mediaUrl'] };
const fieldsFile = '#shared/records/fields/values.ts';
const textFiles = { '#shared/schema/text.ts': ['text'] };

/** The types of fields of `resource:make`. */
export const fieldTypes = {
  text: {
    argument: { example: '100', fallback: '100', fits: isNumber },
    can: ['filter', 'search', 'unique'],
    code: (max) => `label(text(1, ${max}))`,
    imports: { '#shared/schema/marks.ts': ['label'], ...textFiles },
    sample: () => "'Example'",
  },
  multiline: {
    argument: { example: '2000', fallback: '2000', fits: isNumber },
    can: ['search'],
    isOptional: true,
    code: (max) => `text(1, ${max})`,
    imports: textFiles,
    hints: ", type: 'multiline'",
    sample: () => "'Two\\nlines'",
  },
  integer: {
    argument: { example: '0,1000', fallback: '0,1000000000', fits: isRange },
    can: ['filter'],
    code: (range) => `z.int().check(${toChecks(range)})`,
    imports: {},
    sample: (range) => range.split(',')[1] ?? '1',
  },
  boolean: { can: ['filter'], code: () => 'z.boolean()', imports: {}, sample: () => 'true' },
  money: {
    argument: { example: 'CNY', fallback: 'CNY', fits: (text) => /^[A-Z]{3}$/.test(text) },
    can: ['filter'],
    code: (currency) => `money('${currency}')`,
    imports: { [fieldsFile]: ['money'] },
    sample: () => '1999',
  },
  date: {
    can: ['filter'],
    code: () => 'date()',
    imports: { [fieldsFile]: ['date'] },
    sample: () => "'2026-03-29'",
  },
  time: { code: () => 'z.iso.datetime()', imports: {}, sample: () => "'2026-03-29T09:30:00.000Z'" },
  dict: {
    argument: { example: 'shop_status', fits: (text) => /^[a-z][a-z_]{1,63}$/.test(text) },
    can: ['filter'],
    code: (key) => `dictValue('${key}')`,
    imports: { '#shared/records/fields/dict-value.ts': ['dictValue'] },
    sample: () => "'first'",
  },
  image: { ...createMedia('image') },
  file: { ...createMedia('file') },
  files: {
    argument: { example: '5', fallback: '5', fits: (text) => isNumber(text) && Number(text) <= 50 },
    isOptional: true,
    isStored: true,
    code: (max) => `attachments({ max: ${max} })`,
    imports: { [fieldsFile]: ['attachments'] },
    sample: () => "['storage/example.pdf']",
  },
  html: {
    isOptional: true,
    code: () => 'richText()',
    imports: { '#shared/records/fields/rich-text.ts': ['richText'] },
    sample: () => "'<p>Example</p>'",
  },
  admin: { can: ['filter'], isOptional: true, code: () => 'adminRef()', imports: record('admin') },
  user: { can: ['filter'], isOptional: true, code: () => 'userRef()', imports: record('user') },
  status: {
    can: ['filter'],
    code: () => 'status',
    imports: { '#shared/schema/fields.ts': ['status'] },
    sample: () => "'enabled'",
  },
} satisfies Record<string, TypeOfField>;

export type FieldType = keyof typeof fieldTypes;

export const isFieldType = (name: string): name is FieldType => Object.hasOwn(fieldTypes, name);

/** The facts of a type. */
export const typeOfField = (type: FieldType): TypeOfField => fieldTypes[type];

function toChecks(range: string): string {
  const [min, max] = range.split(',');
  return `z.gte(${min}), z.lte(${max})`;
}

function createMedia(kind: 'image' | 'file') {
  return {
    isOptional: true as const,
    isStored: true as const,
    code: () => 'mediaUrl(z.maxLength(500))',
    imports: media,
    hints: `, media: '${kind}'`,
    sample: () => `'storage/example.${kind === 'image' ? 'png' : 'pdf'}'`,
  };
}
