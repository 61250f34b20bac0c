import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { findDynoxide } from '#cli/local/dynamodb/dynoxide.ts';
import { addRole, listRoles } from '#modules/System/roles/roles.ts';
import { editDictItem, getDictItem, listDictItems } from '#shared/dict/items.ts';
import { seedDictionary } from '#shared/dict/seed.ts';
import { useDatabase } from '../support/database.ts';
import { createTempDir, projectRoot } from '../support/local-server.ts';
import { runService } from '../support/run-service.ts';
import { readLog } from '../support/use-functions.ts';

// `config:pull`, `config:plan` and `config:apply`, as a shell runs them.

useDatabase(findDynoxide() ? 'dynoxide' : 'dynamodb-local');

const run = (...args: string[]) => runService(projectRoot, process.env, ...args);
const secret = 'planted-secret-value';
let file: string;
let content: {
  dictionaries: { type_key: string; items: { value: string; name: string }[] }[];
  roles: { name: string; remark: string; grants: string[] }[];
  settings: Record<string, Record<string, unknown>>;
  secrets: string[];
};
const write = () => writeFileSync(file, JSON.stringify(content));

beforeEach(async () => {
  if (content === undefined) {
    const items = [{ value: 'red', name: 'Red' }];
    await seedDictionary({ type_key: 'colour', name: 'Colours', public: true, items });
    await run('config:set', `ai.api_key=${secret}`, 'ai.model=one');
  }
  file = join(createTempDir(), 'stage.json');
  expect(await run('config:pull', file)).toMatchObject({ code: 0, complaint: '' });
  content = JSON.parse(readFileSync(file, 'utf8'));
});

describe('config:pull', () => {
  test('writes the same file again, without the secrets, which it names', async () => {
    const text = readFileSync(file, 'utf8');

    const { printed } = await run('config:pull', file);

    expect(readFileSync(file, 'utf8')).toBe(text);
    expect(text).not.toContain(secret);
    expect(content.secrets).toEqual(['ai.api_key']);
    expect(printed).toContain('Secrets that are not in it: ai.api_key');
    expect(await run('config:plan', file)).toMatchObject({ code: 0, complaint: '' });
  });
});

describe('config:apply', () => {
  test('makes the changes that config:plan shows, each with its entry, and then nothing', async () => {
    const [colour] = content.dictionaries;
    colour?.items.push({ ...colour.items[0], value: 'green', name: 'Green' });
    content.roles.push({ name: 'Painters', remark: '', grants: ['system/setting/dict:write'] });
    Object.assign(content.settings.ai ?? {}, { model: 'two' });
    write();

    const plan = await run('config:plan', file, '--save', `${file}.plan`);
    const before = (await readLog()).length;
    const applied = await run('config:apply', file, '--plan', `${file}.plan`);
    const entries = (await readLog()).slice(before);

    expect(plan).toMatchObject({ code: 3, complaint: '' });
    expect(plan.printed).toContain('+ dict:colour:green\n    value: "green"');
    expect(plan.printed).toContain('    model: "one" → "two"');
    expect(plan.printed).toContain('2 to add, 1 to change, 0 to remove, 0 left\nDigest: ');
    const printed = 'Added dict:colour:green\nAdded role:Painters\nChanged config:ai\n3 written, 0 left';
    expect(applied).toEqual({ code: 0, printed, complaint: '' });
    const painters = (await listRoles()).find(({ name }) => name === 'Painters');
    const targets = ['dict:colour:green', `role:${painters?.id}`, 'config:ai'];
    const applies = targets.map((target) => ({ action: 'cli/config:apply', target, outcome: 'ok' }));
    expect(entries).toMatchObject(applies);
    expect(new Set(entries.map(({ request_id }) => request_id)).size).toBe(1);
    expect(JSON.stringify([plan, applied, entries])).not.toContain(secret);
    expect(await run('config:apply', file)).toMatchObject({ code: 0, printed: '0 written, 0 left' });
    expect(await readLog()).toHaveLength(before + 3);
  });

  test('refuses a record that was changed after the plan, and goes on after a new plan', async () => {
    const [colour] = content.dictionaries;
    for (const item of colour?.items ?? []) item.name = `${item.name} paint`;
    write();
    const plan = await run('config:plan', file, '--save', `${file}.plan`);
    const digest = /Digest: (\w+)/.exec(plan.printed)?.[1] ?? '';
    const { version } = await getDictItem('colour', 'red');
    await editDictItem('colour', 'red', version, { name: 'Crimson' });

    const refused = await run('config:apply', file, '--plan', `${file}.plan`);
    const refusedByDigest = await run('config:apply', file, '--digest', digest);

    expect(refused).toMatchObject({ code: 1, printed: '' });
    expect(refused.complaint).toContain('others have changed: dict:colour:red.');
    expect(refusedByDigest).toMatchObject({ code: 1, printed: '' });
    expect((await getDictItem('colour', 'red')).name).toBe('Crimson');
    expect(await run('config:apply', file)).toMatchObject({ code: 0 });
    expect((await getDictItem('colour', 'red')).name).toBe('Red paint');
  });

  test('removes only with --prune what the file does not have', async () => {
    await addRole({ name: 'Extra', grants: ['system:read'] });
    for (const type of content.dictionaries) type.items = type.items.filter(({ value }) => value === 'red');
    write();

    const kept = await run('config:apply', file);
    const pruned = await run('config:apply', file, '--prune');

    expect(kept.printed).toBe(
      [
        '= dict:colour:green  left: not in the file; --prune removes it',
        '= role:Extra  left: not in the file; --prune removes it',
        '0 written, 2 left',
      ].join('\n'),
    );
    expect(pruned.printed).toBe('Removed dict:colour:green\nRemoved role:Extra\n2 written, 0 left');
    expect((await listDictItems('colour')).map(({ value }) => value)).toEqual(['red']);
  });

  test('refuses the whole file for a fault, with its place, and writes nothing', async () => {
    content.roles.push({ name: 'Nobodies', remark: '', grants: ['no/such/place:read'] });
    Object.assign(content.settings.ai ?? {}, { api_key: 'in-the-file', modle: 'x' });
    Object.assign(content.settings, { gone: { key: 1 } });
    write();
    const before = (await readLog()).length;

    const { code, complaint } = await run('config:apply', file);

    expect(code).toBe(1);
    expect(complaint).toContain('! role:Nobodies  refused: no/such/place:read: ');
    expect(complaint).toContain('! config:ai  refused: ai.api_key is a secret');
    expect(complaint).toContain('! config:ai  refused: ai.modle: there is no such setting');
    expect(complaint).toContain('= config:gone  left: no module');
    expect(complaint).not.toContain('in-the-file');
    expect(await readLog()).toHaveLength(before);
  });

  test.each([
    ['{"format":2}', 'The file has format 2; this code reads format 1'],
    ['{"format":1,"format":1}', 'The file has an object with the same name twice'],
    ['[', 'The file is not JSON'],
    ['{"format":1,"roles":[],"settings":{},"secrets":[]}', 'dictionaries: '],
  ])('refuses the file %s', async (text, reason) => {
    writeFileSync(file, text);

    const { code, complaint } = await run('config:plan', file);

    expect(code).toBe(1);
    expect(complaint).toContain(reason);
  });
});
