import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { projectRoot } from '../support/local-server.ts';
import { absent, enabled, useWorkshop } from './module-fixture.ts';

// `error:make`: a code, its messages and its line in the docs, or nothing.

const pages = ['docs/errors.md', 'docs/api.md'];
const { list, put, putManifest, read, runAlone, write } = useWorkshop([...pages, 'permissions.txt']);
const texts = ['--en', 'Sold out', '--zh', '已售罄'];
const make = (name: string, code: string, ...more: string[]) =>
  runAlone('error:make', name, code, ...(more.length > 0 ? more : ['--status', '409', ...texts]));

beforeEach(() => {
  for (const file of pages) write(file, readFileSync(join(projectRoot, file), 'utf8'));
});

test('declares a code of an enabled module, its messages and its line in the docs', async () => {
  put('Shop', enabled);

  const made = await make('Shop', 'shop.sold_out', '--status', '409', ...texts, '--when', 'no piece is left');

  expect(made).toMatchObject({ code: 0, complaint: '' });
  expect(made.printed).toContain('modules/Shop/lang/zh_CN.json');
  expect(read('modules/Shop/errors.ts')).toContain("'shop.sold_out': 409, // no piece is left\n");
  expect(JSON.parse(read('modules/Shop/lang/en.json'))).toMatchObject({ 'shop.sold_out': 'Sold out' });
  expect(JSON.parse(read('modules/Shop/lang/zh_CN.json'))).toMatchObject({ 'shop.sold_out': '已售罄' });
  expect(read('docs/errors.md')).toContain('| `shop.sold_out` | 409 | no piece is left |\n');
  expect(await runAlone('route:list', 'shop')).toMatchObject({ code: 0 });
});

test('makes the files of a module that has none, and leaves the docs until it is enabled', async () => {
  putManifest('Stall', absent);

  const made = await make('Stall', 'stall.sold_out');

  expect(made).toMatchObject({ code: 0, complaint: '' });
  expect(made.printed).toContain('Stall is not enabled');
  expect(read('modules/Stall/errors.ts')).toContain("  'stall.sold_out': 409, // Sold out\n");
  expect(read('docs/errors.md')).not.toContain('stall.sold_out');
});

test.each([
  ['a code that exists', 'shop.kind_not_found', 1, 'has the code shop.kind_not_found already'],
  ['a code of the platform', 'route.not_found', 1, 'has the code route.not_found already'],
  ['a name that is not a code', 'ShopSoldOut', 2, 'is not a code: write it as shop.sold_out'],
])('refuses %s', async (_name, code, exitCode, words) => {
  await expectRefusal([code, '--status', '409', ...texts], exitCode, words);
});

test.each([
  ['a status of success', ['--status', '200', ...texts], 'from 400 to 599'],
  ['a code without a message', ['--status', '409', '--en', 'Sold out'], '--zh'],
  ['an empty message', ['--status', '409', '--en', ' ', '--zh', '甲'], 'A text is one line'],
  ['other placeholders', ['--status', '409', '--en', '{size}', '--zh', '甲'], 'the same placeholders'],
])('refuses %s', async (_name, options, words) => {
  await expectRefusal(['shop.sold_out', ...options], 2, words);
});

test('refuses a module that does not exist', async () => {
  expect(await make('Kiosk', 'kiosk.sold_out')).toMatchObject({
    code: 1,
    complaint: expect.stringContaining('There is no module Kiosk'),
  });
});

test('restores all files if the docs cannot be written', async () => {
  put('Shop', enabled);
  write('docs/errors.md', '# Errors\n');
  const before = snapshot();

  const { code, complaint } = await make('Shop', 'shop.sold_out');

  expect(code).toBe(1);
  expect(complaint).toContain('docs/errors.md has no table');
  expect(snapshot()).toEqual(before);
});

async function expectRefusal(args: string[], code: number, words: string): Promise<void> {
  put('Shop', enabled);
  const before = snapshot();

  const result = await runAlone('error:make', 'Shop', ...args);

  expect({ code: result.code, complaint: result.complaint }).toEqual({
    code,
    complaint: expect.stringContaining(words),
  });
  expect(snapshot()).toEqual(before);
}

const snapshot = () => [...list('modules/Shop'), ...pages].map((file) => [file, read(file)]);
