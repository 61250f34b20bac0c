import { typeOfField } from './field-types.ts';
import type { FieldSpec } from './parse-field.ts';
import type { ResourceNames } from './resource-names.ts';

/** Whether a new record may leave a field out. */
export const mayMiss = ({ type, flags }: FieldSpec): boolean =>
  flags.includes('optional') || (typeOfField(type).isOptional === true && !flags.includes('required'));

export const argumentOf = ({ type, argument }: FieldSpec): string =>
  argument ?? typeOfField(type).argument?.fallback ?? '';

/** The label of a field in both locales. */
export function labelOf({ name, label }: FieldSpec): { zh_CN: string; en: string } {
  const words = name.replaceAll('_', ' ');
  const en = words.charAt(0).toUpperCase() + words.slice(1);
  return label ?? { zh_CN: en, en };
}

/** A field of a declaration, such as `price: titled({ zh_CN: '价格', en: 'Price' }, money('CNY')),` */
export function renderField(field: FieldSpec): string {
  const { code, hints = '' } = typeOfField(field.type);
  const { zh_CN, en } = labelOf(field);
  const unique = field.flags.includes('unique');
  const core = unique ? `uniqueText(${code(argumentOf(field))})` : code(argumentOf(field));
  const schema = mayMiss(field) ? `z.optional(${core})` : core;
  return `${field.name}: titled({ zh_CN: ${quote(zh_CN)}, en: ${quote(en)}${hints} }, ${schema}),`;
}

/** A text as source. */
export const quote = (text: string): string => (text.includes("'") ? JSON.stringify(text) : `'${text}'`);

/** The names that fields need, by file. */
export function listImports(fields: readonly FieldSpec[]): Map<string, Set<string>> {
  const imports = new Map<string, Set<string>>();
  const add = (file: string, name: string) => imports.set(file, (imports.get(file) ?? new Set()).add(name));
  for (const { type, flags } of fields) {
    for (const [file, names] of Object.entries(typeOfField(type).imports))
      for (const name of names) add(file, name);
    if (flags.includes('unique')) add('#shared/records/fields/values.ts', 'uniqueText');
  }
  return imports;
}

/** Whether the schema of a field calls zod itself. */
export const usesZod = (field: FieldSpec): boolean => /\bz\./.test(renderField(field));

const renderList = (name: string, fields: readonly FieldSpec[], flag: 'filter' | 'search'): string => {
  const names = fields.filter(({ flags }) => flags.includes(flag)).map((field) => `'${field.name}'`);
  return names.length === 0 ? '' : `  ${name}: [${names.join(', ')}],\n`;
};

/** The declaration of a kind of record. @param own the field with its user */
export function renderRecord(
  names: ResourceNames,
  fields: readonly FieldSpec[],
  own: string | undefined,
): string {
  const imports = listImports(fields)
    .set('#shared/records/define-record.ts', new Set(['defineRecord']))
    .set('#shared/schema/titled.ts', new Set(['titled']));
  const lines = [...imports]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([file, found]) => `import { ${[...found].sort().join(', ')} } from '${file}';`);
  const zod = fields.some(usesZod) ? ["import * as z from 'zod/mini';"] : [];
  const { title, prefix, record, constant } = names;
  return `${[...zod, ...lines].join('\n')}

export const ${constant} = defineRecord({
  module: '${prefix}',
  name: '${record}',
  title: { zh_CN: '${title.zh_CN}', en: '${title.en}', plural: '${title.plural}' },
  fields: {
${fields.map((field) => `    ${renderField(field)}`).join('\n')}
  },
${renderList('filters', fields, 'filter')}${renderList('search', fields, 'search')}${own ? `  own: '${own}',\n` : ''}  revisions: { days: 200 },
});
`;
}
