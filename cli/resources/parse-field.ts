import { UsageError } from '../command.ts';
import { type FieldType, fieldTypes, isFieldType, typeOfField } from './field-types.ts';

/** A field as it is written on the command line. */
export interface FieldSpec {
  /** In lower case with underscores. */
  name: string;
  type: FieldType;
  /** What stands in brackets: the longest text, a dictionary, a currency. */
  argument: string | undefined;
  flags: readonly Flag[];
  /** For forms and tables. @default made of the name */
  label: { zh_CN: string; en: string } | undefined;
}

const flagNames = ['filter', 'search', 'unique', 'optional', 'required'] as const;
export type Flag = (typeof flagNames)[number];
const isFlag = (word: string): word is Flag => flagNames.some((flag) => flag === word);

/** The names that the platform gives to every record. */
const reserved = new Set([
  'id',
  'version',
  'created_at',
  'updated_at',
  'labels',
  'search',
  'limit',
  'cursor',
]);

/** `name:type(argument)`, then flags and a label. */
const form = /^(?<name>[^\s:]+):(?<type>[a-z]+)(?:\((?<argument>[^()]*)\))?(?<rest>(?:\s.*)?)$/;
const labelForm = /\slabel\((?<zh>[^()|]+)\|(?<en>[^()|]+)\)(?=\s|$)/;

/**
 * Reads a field: `title:text(100) search`, `status:dict(shop_status) filter`, `price:money label(价格|Price)`.
 *
 * @throws UsageError that names the field and what is wrong with it
 */
export function parseField(source: string): FieldSpec {
  const groups = form.exec(source.trim())?.groups;
  if (!groups)
    throw new UsageError(`"${source}" is not a field: write it as name:type, as in title:text(100)`);
  const { name = '', type = '', argument, rest = '' } = groups;
  const refuse = (problem: string) => new UsageError(`${source}: ${problem}`);
  if (!/^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/.test(name) || name.length > 40)
    throw refuse(`write "${name}" in lower case with underscores, at most 40 characters`);
  if (reserved.has(name)) throw refuse(`every record has "${name}" or its list does: choose another name`);
  if (!isFieldType(type))
    throw refuse(`there is no type "${type}". There are ${Object.keys(fieldTypes).join(', ')}.`);
  const label = labelForm.exec(rest)?.groups;
  const words = rest.replace(labelForm, ' ').split(/\s+/).filter(Boolean);
  const unknown = words.find((word) => !isFlag(word));
  if (unknown !== undefined)
    throw refuse(`"${unknown}" is not a flag: write ${flagNames.join(', ')} or label(中文|English)`);
  const flags = flagNames.filter((flag) => words.includes(flag));
  const problem = findProblem(type, argument, flags);
  if (problem) throw refuse(problem);
  const { zh = '', en = '' } = label ?? {};
  return { name, type, argument, flags, label: label && { zh_CN: zh.trim(), en: en.trim() } };
}

function findProblem(
  type: FieldType,
  argument: string | undefined,
  flags: readonly Flag[],
): string | undefined {
  const { argument: form, can = [] } = typeOfField(type);
  if (argument !== undefined && !form) return `${type} takes nothing in brackets`;
  if (form && argument === undefined && form.fallback === undefined) return `write ${type}(${form.example})`;
  if (form && argument !== undefined && !form.fits(argument))
    return `"${argument}" does not fit: write ${type}(${form.example})`;
  for (const flag of ['filter', 'search', 'unique'] as const)
    if (flags.includes(flag) && !can.includes(flag))
      return `no list can ${describe[flag]} a field of type ${type}`;
  if (flags.includes('filter') && argument?.startsWith('-'))
    return 'a list is limited by numbers from 0 only';
  return flags.includes('optional') && flags.includes('required')
    ? 'a field is optional or required, not both'
    : undefined;
}

const describe = { filter: 'be limited by', search: 'search in', unique: 'hold once the value of' };

/** Fields of one resource. @throws UsageError for two of one name, and for more filters than a list has */
export function parseFields(sources: readonly string[]): FieldSpec[] {
  const fields = sources.map(parseField);
  const twice = fields.find(({ name }, at) => fields.findIndex((each) => each.name === name) !== at);
  if (twice) throw new UsageError(`There are two fields "${twice.name}"`);
  const filters = fields.filter(({ flags }) => flags.includes('filter'));
  if (filters.length > 2)
    throw new UsageError(`${filters.map(({ name }) => name).join(', ')} are filters: a list has at most two`);
  return fields;
}
