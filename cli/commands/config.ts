import { discover } from '#functions/discover.ts';
import { createTranslate } from '#shared/http/messages.ts';
import { validate } from '#shared/http/validate.ts';
import type { ConfigGroup } from '#shared/settings/group.ts';
import { listSettings } from '#shared/settings/list.ts';
import { createSaveSchema, saveSettings } from '#shared/settings/save.ts';
import { openValues, readStored } from '#shared/settings/store.ts';
import { defineCommand, UsageError } from '../command.ts';
import { root } from '../project.ts';

async function readGroups(): Promise<ConfigGroup[]> {
  const { modules } = await discover(root);
  return modules.flatMap(({ manifest }) => manifest.configs ?? []);
}

/** The declared group of a name. @throws Error where there is none, or it lacks one of the keys */
function findGroup(groups: readonly ConfigGroup[], name: string, keys: readonly string[] = []): ConfigGroup {
  const group = groups.find((candidate) => candidate.name === name);
  if (!group) throw new Error(`There is no group of settings "${name}"`);
  const stranger = keys.find((key) => !Object.hasOwn(group.keys, key));
  if (stranger !== undefined) throw new Error(`${name} has no setting "${stranger}"`);
  return group;
}

export const configGet = defineCommand({
  summary: 'show settings, secrets as a mask',
  positionals: ['[group[.key]]'],
  options: { reveal: { type: 'boolean', summary: 'show the one that is named, also a secret' } },
  async run({ positionals: [path = ''], values: { reveal }, openStores }) {
    const [name = '', key] = path.split('.');
    if (reveal && key === undefined) throw new UsageError('--reveal takes one setting, group.key');
    openStores();
    const groups = await readGroups();
    if (path === '') return printSettings(groups);
    const group = findGroup(groups, name, key === undefined ? [] : [key]);
    if (!reveal || key === undefined) return printSettings([group], key);
    const values: Record<string, unknown> = openValues(group, await readStored(name));
    console.log(values[key]);
  },
});

async function printSettings(groups: readonly ConfigGroup[], only?: string): Promise<void> {
  for (const { group, key, value } of await listSettings(groups, 'en')) {
    if (only === undefined || only === key) console.log(`${group}.${key} = ${JSON.stringify(value)}`);
  }
}

export const configSet = defineCommand({
  summary: 'save settings of one group; JSON where it reads as JSON, else text',
  positionals: ['group.key=value…'],
  options: {},
  async run({ positionals, openStores }) {
    const { name, texts } = readPairs(positionals);
    openStores();
    const group = findGroup(await readGroups(), name, [...texts.keys()]);
    const values = Object.fromEntries([...texts].map(([key, text]) => [key, readValue(group, key, text)]));
    await saveSettings(group, Object(check(group, values)), name);
    console.log(`Saved: ${[...texts.keys()].map((key) => `${name}.${key}`).join(', ')}`);
  },
});

/** The group and, by key, the texts of `group.key=value…`. */
function readPairs(args: readonly string[]): { name: string; texts: Map<string, string> } {
  const pairs = args.map((arg) => {
    const [, group, key = '', text = ''] = /^([^=.]+)\.([^=]+)=(.*)$/s.exec(arg) ?? [];
    if (group === undefined) throw new UsageError(`"${arg}" is no group.key=value`);
    return { group, key, text };
  });
  const name = pairs[0]?.group ?? '';
  if (pairs.some(({ group }) => group !== name)) throw new UsageError('All settings are of one group');
  return { name, texts: new Map(pairs.map(({ key, text }) => [key, text])) };
}

/** What the schemas of a group make of values. @throws Error telling each place that does not fit */
function check(group: ConfigGroup, values: Record<string, unknown>): unknown {
  const t = createTranslate('en');
  const schema = createSaveSchema(group, values);
  const { value, issues } = validate(schema, values, { root: group.name, locale: 'en', t });
  if (issues.length === 0) return value;
  throw new Error(issues.map(({ path, message }) => `${path}: ${message}`).join('\n'));
}

/** A value of the command line: text for a setting whose default is text, else what it reads as JSON. */
function readValue({ keys }: ConfigGroup, key: string, text: string): unknown {
  if (typeof keys[key]?.default === 'string') return text;
  try {
    return JSON.parse(text);
  } catch {
    return text; // No JSON: the schema says what it takes.
  }
}
