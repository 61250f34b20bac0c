import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { type GateUse, gates, listGates } from '#shared/http/gates.ts';

const root = resolve(__dirname, '../..');
const isUse = (text: string): text is GateUse => text.includes(':') || (text in gates && text !== 'throttle');
const uses = Object.keys(gates)
  .map((name) => (name === 'throttle' ? 'throttle:public' : name))
  .filter(isUse);

test('every gate is the default export of the file that the table names', async () => {
  const found = listGates({ gates: uses, middleware: [] });

  expect(found.map(({ name }) => name)).toEqual(Object.keys(gates));
  for (const { file } of found) expect(await import(file)).toMatchObject({ default: expect.any(Function) });
});

test('only the table and the builders name a gate: all others read the table', () => {
  const files = ['shared', 'functions', 'cli'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => `${folder}/${file}`),
  );
  const names = uses.filter((use) => !use.startsWith('throttle:')).map((use) => `'${use}'`);
  const naming = files.filter((file) => {
    const source = readFileSync(join(root, file), 'utf8');
    return names.some((name) => source.includes(name));
  });

  expect(naming.sort()).toEqual(['shared/http/gates.ts', 'shared/http/route.ts']);
});

test('every file of a gate is in the table', () => {
  // Shared by the gates of a login.
  const parts = ['login.ts'];
  const files = listGates({ gates: uses, middleware: [] }).map(({ file }) => file.split('/').at(-1));

  expect(readdirSync(join(root, 'shared/http/gates')).sort()).toEqual([...files, ...parts].sort());
});
