import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { findDynoxide } from '#cli/local/dynamodb/dynoxide.ts';
import { listCachedTypes } from '#shared/dict/cache.ts';
import { removeDictionary } from '#shared/dict/import.ts';
import { listDictItems } from '#shared/dict/items.ts';
import { dict } from '#shared/dict/reader.ts';
import { seedDictionary } from '#shared/dict/seed.ts';
import { useDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { createTempDir, projectRoot } from '../support/local-server.ts';
import { runScript } from '../support/run-service.ts';

// `dict:import` and `dict:clear`.

useDatabase(findDynoxide() ? 'dynoxide' : 'dynamodb-local');

beforeEach(async () => {
  await removeDictionary('colour');
  const items = [{ value: 'red', name: 'Red' }];
  await seedDictionary({ type_key: 'colour', name: 'Colours', public: true, items });
});

const run = (input: string, ...args: string[]) =>
  runScript('cli/service.ts', args, projectRoot, process.env, input);
const readColours = async () => (await listDictItems('colour')).map(({ value, name }) => `${value} ${name}`);

describe('dict:import', () => {
  test('adds and changes the items of a file, named after its type', async () => {
    const file = join(createTempDir(), 'colour.csv');
    writeFileSync(file, 'name,value\nBright red,red\nGreen,green\n');
    await dict.map('colour');

    const printed = 'Imported into colour: 1 added, 1 changed, 0 removed';
    expect(await run('', 'dict:import', file)).toEqual({ code: 0, printed, complaint: '' });
    expect(await readColours()).toEqual(['green Green', 'red Bright red']);
    expect(await dict.map('colour')).toEqual({ green: 'Green', red: 'Bright red' });
  });

  test('replaces by --mode replace, from standard input', async () => {
    const items = JSON.stringify([{ value: 'blue', name: 'Blue' }]);

    const { printed } = await run(items, 'dict:import', '-', '--type', 'colour', '--mode', 'replace');

    expect(printed).toBe('Imported into colour: 1 added, 0 changed, 1 removed');
    expect(await readColours()).toEqual(['blue Blue']);
  });

  test.each([
    ['a wrong line', '- --type colour', 'name,value\nGreen,green\n,blue\n', 1, 'line 3, name: '],
    ['an unknown type', '- --type nope', 'name,value\nA,1', 1, 'There is no dictionary type nope'],
    ['no type', '-', 'name,value\nA,1', 2, 'add --type'],
    ['a missing file', '/nowhere/colour.csv', '', 1, '/nowhere/colour.csv cannot be read (ENOENT)'],
    ['an unknown mode', '- --type colour --mode all', '', 2, 'Allowed choices are merge, replace'],
  ])('refuses %s, and writes nothing', async (_what, args, input, code, message) => {
    const result = await run(input, 'dict:import', ...args.split(' '));

    expect(result).toMatchObject({ code, printed: '' });
    expect(result.complaint).toContain(message);
    expect(await readColours()).toEqual(['red Red']);
  });
});

describe('dict:clear', () => {
  test('clears types that exist, and says which does not', async () => {
    const known = await run('', 'dict:clear', 'colour', 'colour');
    const unknown = await run('', 'dict:clear', 'colour', 'nope');

    expect(known).toMatchObject({ code: 0, printed: 'Cleared: colour, colour' });
    expect(unknown).toEqual({ code: 1, printed: '', complaint: 'There is no dictionary type nope' });
  });

  test('clears a type that is deleted and still in the cache', async () => {
    await dict.map('gone');
    // Reads do not wait for the cache to be filled.
    await eventually(listCachedTypes, (cached) => cached.includes('gone'));

    expect(await run('', 'dict:clear', 'gone')).toEqual({ code: 0, printed: 'Cleared: gone', complaint: '' });
  });
});
