import { discover } from '#functions/discover.ts';
import { createTranslate } from '#shared/http/messages.ts';
import { validate } from '#shared/http/validate.ts';
import type { ConfigGroup } from '#shared/settings/group.ts';
import { listSettings } from '#shared/settings/list.ts';
import { createSaveSchema, findGroup, saveSettings } from '#shared/settings/save.ts';
import { openValues, readStored } from '#shared/settings/store.ts';
import type { Command } from '../command.ts';
import { root } from '../project.ts';

async function readGroups(): Promise<ConfigGroup[]> {
  const { modules } = await discover(root);
  return modules.flatMap(({ manifest }) => manifest.configs ?? []);
}

/** The group and key that `group.key` names. */
async function find(path: string): Promise<{ group: ConfigGroup; key: string }> {
  const [name = '', key = ''] = path.split('.');
  const group = findGroup(await readGroups(), name);
  if (!Object.hasOwn(group.keys, key)) throw new Error(`${name} has no setting "${key}"`);
  return { group, key };
}

export const configGet: Command = {
  usage: '[group[.key]] [--reveal]',
  summary: 'show settings; secrets as a mask, but a single one with --reveal',
  async run(args) {
    const [path = ''] = args.filter((arg) => arg !== '--reveal');
    if (path.includes('.') && args.includes('--reveal')) {
      const { group, key } = await find(path);
      const values: Record<string, unknown> = openValues(group, await readStored(group.name));
      console.log(values[key]);
      return;
    }
    for (const { group, key, value } of await listSettings(await readGroups(), 'en')) {
      const name = `${group}.${key}`;
      if (path === '' || path === group || path === name) console.log(`${name} = ${JSON.stringify(value)}`);
    }
  },
};

export const configSet: Command = {
  usage: 'group.key=value…',
  summary: 'save settings of one group; JSON where it reads as JSON, else text',
  async run(args) {
    const pairs = await Promise.all(
      args.map(async (arg) => {
        const [, path = '', text = ''] = /^([^=]+)=(.*)$/s.exec(arg) ?? [];
        return { ...(await find(path)), text };
      }),
    );
    const [first] = pairs;
    if (!first || pairs.some(({ group }) => group !== first.group && group.name !== first.group.name)) {
      throw new Error('usage: config:set group.key=value…, of one group');
    }
    const values = Object.fromEntries(pairs.map(({ key, text }) => [key, readValue(first.group, key, text)]));
    const schema = createSaveSchema(first.group, values);
    const t = createTranslate('en');
    const { value, issues } = validate(schema, values, { root: first.group.name, locale: 'en', t });
    if (issues.length > 0)
      throw new Error(issues.map(({ path, message }) => `${path}: ${message}`).join('\n'));
    await saveSettings(first.group, Object(value));
    console.log(`Saved: ${pairs.map(({ key }) => `${first.group.name}.${key}`).join(', ')}`);
  },
};

/** A value of the command line: text for a setting whose default is text, else what it reads as JSON. */
function readValue({ keys }: ConfigGroup, key: string, text: string): unknown {
  if (typeof keys[key]?.default === 'string') return text;
  try {
    return JSON.parse(text);
  } catch {
    return text; // No JSON: the schema says what it takes.
  }
}
