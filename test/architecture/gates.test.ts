import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { type GateUse, gates, listGates } from '#shared/http/gates.ts';

const root = resolve(__dirname, '../..');
const uses: GateUse[] = ['api.site', 'throttle:public', 'admin.auth', 'api.auth', 'api.try-auth', 'mcp.auth'];

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
