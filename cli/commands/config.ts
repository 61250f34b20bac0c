import * as z from 'zod/mini';
import { discover } from '#functions/discover/discover.ts';
import { validate } from '#shared/i18n/validate.ts';
import { label } from '#shared/schema/marks.ts';
import type { ConfigGroup } from '#shared/settings/group.ts';
import { listSettings } from '#shared/settings/list.ts';
import { createSaveSchema, saveSettings } from '#shared/settings/save.ts';
import { openValues, readStored } from '#shared/settings/store.ts';
import { createCommand, UsageError } from '../command.ts';
import { useEnvironment } from '../environment.ts';
import { root } from '../project.ts';
import { recordCommand } from '../record-command.ts';
import { translateDetails } from '../translate.ts';

/** Selects the stores, and reads the groups of all modules. */
async function readGroups(): Promise<ConfigGroup[]> {
  useEnvironment();
  const { modules } = await discover(root);
  return modules.flatMap(({ manifest }) => manifest.configs ?? []);
}

/** The group of a name. @throws Error if the group or one of the keys does not exist */
async function findGroup(name: string, keys: readonly string[]): Promise<ConfigGroup> {
  const group = (await readGroups()).find((candidate) => candidate.name === name);
  if (!group) throw new Error(`There is no group of settings "${name}"`);
  const unknownKey = keys.find((key) => !Object.hasOwn(group.keys, key));
  if (unknownKey !== undefined) throw new Error(`${name} has no setting "${unknownKey}"`);
  return group;
}

export const configGet = createCommand('config:get', 'show settings, secrets as a mask')
  .argument('[group.key]', 'a group, or one setting', '')
  .option('--reveal', 'show the value of this setting, also a secret')
  .action(async (path, { reveal }) => {
    const [name = '', key] = path.split('.');
    if (reveal && key === undefined) throw new UsageError('--reveal takes one setting, group.key');
    if (path === '') return printSettings(await readGroups());
    const group = await findGroup(name, key === undefined ? [] : [key]);
    if (!reveal || key === undefined) return printSettings([group], key);
    const values: Record<string, unknown> = openValues(group, await readStored(name));
    console.log(values[key]);
  });

async function printSettings(groups: readonly ConfigGroup[], only?: string): Promise<void> {
  for (const { group, key, value } of await listSettings(groups, 'en')) {
    if (only === undefined || only === key) console.log(`${group}.${key} = ${JSON.stringify(value)}`);
  }
}

export const configSet = createCommand(
  'config:set',
  'save settings of one group; a value is JSON if it can be read as JSON, else text',
)
  .argument('<group.key=value...>')
  .action(async (pairs) => {
    const { name, texts } = readPairs(pairs);
    const keys = [...texts.keys()];
    const group = await findGroup(name, keys);
    const given = Object.fromEntries([...texts].map(([key, text]) => [key, readValue(group, key, text)]));
    const schema = createSaveSchema(group, given);
    const { value, issues } = validate(schema, given, name);
    if (issues)
      throw new Error(
        translateDetails(issues)
          .map(({ path, message }) => `${path}: ${message}`)
          .join('\n'),
      );
    const input = z.object({ group: label(z.string()), values: schema });
    await recordCommand('config:set', input, { group: name, values: value }, () =>
      saveSettings(group, value, name),
    );
    console.log(`Saved: ${keys.map((key) => `${name}.${key}`).join(', ')}`);
  });

/** The group and, by key, the texts of `group.key=value…`. */
function readPairs(args: readonly string[]): { name: string; texts: Map<string, string> } {
  const pairs = args.map((arg) => {
    const [, group, key = '', text = ''] = /^([^=.]+)\.([^=]+)=(.*)$/s.exec(arg) ?? [];
    if (group === undefined) throw new UsageError(`"${arg}" is not group.key=value`);
    return { group, key, text };
  });
  const name = pairs[0]?.group ?? '';
  if (pairs.some(({ group }) => group !== name)) throw new UsageError('All settings must be of one group');
  return { name, texts: new Map(pairs.map(({ key, text }) => [key, text])) };
}

/** A value of the command line: text if the setting's default is text, else parsed JSON. */
function readValue({ keys }: ConfigGroup, key: string, text: string): unknown {
  if (typeof keys[key]?.default === 'string') return text;
  try {
    return JSON.parse(text);
  } catch {
    return text; // Not JSON: the schema decides.
  }
}
