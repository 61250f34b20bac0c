import * as z from 'zod/mini';
import { maxRoles } from '#modules/System/roles/roles.ts';
import { grants, roleName, roleRemark } from '#modules/System/roles/schema.ts';
import { dictItem, dictType, maxItemsPerType } from '#shared/dict/schema.ts';
import { validate } from '#shared/i18n/validate.ts';
import { translateDetails } from '../translate.ts';

/** The version of the format. A change that older code would misread gets the next one. */
const format = 1;

/** A list whose entries have a natural key, each once. */
const listBy = <Name extends string, Entry extends Record<Name, string>>(
  name: Name,
  entry: z.ZodMiniType<Entry>,
  most: number,
) =>
  z.array(entry).check(
    z.maxLength(most),
    z.check(({ value: entries, issues }) => {
      const seen = new Set<string>();
      for (const [index, { [name]: key }] of entries.entries()) {
        const issue = { code: 'custom' as const, message: 'rule.duplicate', input: key };
        if (seen.has(key)) issues.push({ ...issue, path: [index, name] });
        seen.add(key);
      }
    }),
  );

const fileItem = z.pick(dictItem, { value: true, name: true, sort: true, status: true, remark: true });
const typeShape = z.pick(dictType, {
  type_key: true,
  name: true,
  enabled: true,
  public: true,
  remark: true,
}).shape;
const fileType = z.strictObject({ ...typeShape, items: listBy('value', fileItem, maxItemsPerType) });
const fileRole = z.strictObject({ name: roleName, remark: roleRemark, grants });

const configFile = z.strictObject({
  format: z.literal(format),
  dictionaries: listBy('type_key', fileType, 10_000),
  roles: listBy('name', fileRole, maxRoles),
  /** Values by group and key. The groups are checked with the modules of the stage that gets them. */
  settings: z.record(z.string(), z.record(z.string(), z.unknown())),
  /** Names of the secrets that the stage of `config:pull` has: `group.key`. */
  secrets: z.array(z.string().check(z.regex(/^[\w-]{1,64}\.[\w-]{1,64}$/))),
});

export type FileItem = z.infer<typeof fileItem>;
export type FileType = z.infer<typeof fileType>;
export type FileRole = z.infer<typeof fileRole>;
/** What a stage has, without IDs, versions, times and secrets. */
export type ConfigFile = z.infer<typeof configFile>;

/** Most faults that are named. */
const shownFaults = 100;

/**
 * Reads a configuration file.
 *
 * @throws Error if it is not JSON, or with the path and message of each fault. No message has a value of the file.
 */
export function parseConfigFile(text: string): ConfigFile {
  const content = parseJson(text);
  const version = Object(content).format;
  if (Number.isInteger(version) && version !== format)
    throw new Error(`The file has format ${version}; this code reads format ${format}`);
  return checkConfigFile(content, 'The file cannot be used:');
}

/** @param complaint begins the error. @throws Error with the path and message of each fault */
export function checkConfigFile(content: unknown, complaint: string): ConfigFile {
  const { value, issues } = validate(configFile, content, 'file');
  if (!issues) return value;
  const faults = translateDetails(issues.slice(0, shownFaults)).map(({ path, message }) => {
    const place = path.replace(/^file\.?/, '');
    return `${place || 'the file'}: ${message}`;
  });
  const rest = issues.length - shownFaults;
  throw new Error([complaint, ...faults, ...(rest > 0 ? [`and ${rest} more`] : [])].join('\n  '));
}

function parseJson(text: string): unknown {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    // The error of the parser has a part of the file.
    throw new Error('The file is not JSON', { cause: Object(error).name });
  }
  // JSON.parse keeps the last of two equal names, so that a merge by hand would lose the first.
  if (countNames(content) !== countWrittenNames(text))
    throw new Error('The file has an object with the same name twice');
  return content;
}

/** Names of all objects in a value. */
function countNames(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const own = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Object.values(value).reduce((sum: number, each) => sum + countNames(each), own);
}

/** Texts before a colon. @param text valid JSON */
function countWrittenNames(text: string): number {
  let count = 0;
  for (const [, colon] of text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)) if (colon !== undefined) count += 1;
  return count;
}

/** The file of a stage: always the same text for the same content, one field a line. */
export function formatConfigFile({ format, dictionaries, roles, settings, secrets }: ConfigFile): string {
  const content: ConfigFile = {
    format,
    dictionaries: sortBy(dictionaries, 'type_key').map((type) => ({
      ...toFileType(type),
      items: sortBy(type.items, 'value').map(toFileItem),
    })),
    roles: sortBy(roles, 'name').map(toFileRole),
    settings: sortNames(
      Object.fromEntries(Object.entries(settings).map(([group, values]) => [group, sortNames(values)])),
    ),
    secrets: [...new Set(secrets)].sort(),
  };
  return `${JSON.stringify(content, null, 2)}\n`;
}

/** Sorted by the code units of a text, so that no locale changes the order. */
const sortBy = <Name extends string, Entry extends Record<Name, string>>(
  list: readonly Entry[],
  name: Name,
): Entry[] => list.toSorted((a, b) => (a[name] < b[name] ? -1 : 1));

const sortNames = <Value>(values: Record<string, Value>): Record<string, Value> =>
  Object.fromEntries(Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1)));

/** What the file has of a dictionary type, besides its items. */
export const toFileType = ({
  type_key,
  name,
  enabled,
  public: isPublic,
  remark,
}: Omit<FileType, 'items'>) => ({
  type_key,
  name,
  enabled,
  public: isPublic,
  remark,
});

export const toFileItem = ({ value, name, sort, status, remark }: FileItem): FileItem => ({
  value,
  name,
  sort,
  status,
  remark,
});

/** The order of grants means nothing. */
export const toFileRole = ({ name, remark, grants }: FileRole): FileRole => ({
  name,
  remark,
  grants: [...new Set(grants)].sort(),
});
