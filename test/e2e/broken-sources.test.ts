import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { copyProject } from '../support/project-copy.ts';
import { useServer } from '../support/use-server.ts';
import { addLab } from './lab-tools.ts';

const route = (imports: string, word: string) => `
  import * as z from 'zod/mini';
  import { web } from '#shared/http/route.ts';
  ${imports}
  const summary = { zh_CN: '实验', en: 'Experiment' };
  export default web.get({ summary, data: z.string(), handler: async () => ${word} });
`;
const wordFile = 'modules/Lab/words/word.ts';
const source = (word: string) => `export const word = '${word}';\n`;
const staticRoute = route("import { word } from '../../words/word.ts';", 'word');
const lazyRoute = route('', "(await import('../../words/word.ts')).word");
const routeNames = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh'];

const copy = copyProject();
addLab(copy);
copy.write(wordFile, source('good'));
for (const name of routeNames) copy.write(`modules/Lab/Web/lab/${name}.ts`, staticRoute);
copy.write('modules/Lab/Web/lab/lazy.ts', lazyRoute);
for (const locale of ['zh_CN', 'en']) copy.write(`modules/Lab/lang/${locale}.json`, '{}');
copy.enable('System', 'Lab');
const { server, client } = useServer({ login: false, root: copy.root });

// The start has loaded all routes; after a change, each is loaded with its first call.
beforeAll(() => repair());

const ask = async (name: string) => {
  const { status, data } = await client.get(`/lab/${name}`);
  return { status, data };
};
const good = { status: 200, data: 'good' };

/** Writes a file, and waits until the server has printed a text once more. */
async function change(work: () => void, text: string): Promise<void> {
  const before = server.printed().split(text).length;
  work();
  const escaped = text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  await server.prints(new RegExp(`(?:${escaped}[\\s\\S]*){${before}}`));
}
const repair = () => change(() => copy.write(wordFile, source('good')), 'Reloaded.');

// Each case asks a route that was not called before: its files are loaded then.
test.each([
  ['a syntax error', 'first', 'export const word = ;\n', ':1:21: Expression expected'],
  ['a missing export', 'second', "import { no } from '#shared/async/settle-all.ts';\n", ':1:10: No matching'],
  ['a missing file', 'third', "export * from './gone.ts';\n", ':1:15: Could not resolve "./gone.ts"'],
  ['TypeScript that Node cannot run', 'fourth', '\n\n enum A { b }\n', ':3:2: TypeScript enum'],
])('after %s, its place is named and all routes answer as before', async (_fault, name, text, place) => {
  await change(() => copy.write(wordFile, text), `${wordFile}${place}`);

  expect(await ask(name)).toEqual(good);
  expect(await ask('lazy')).toEqual(good);
  expect(server.printed()).not.toContain('    at ');
  await repair();
});

test('after a file is gone, all routes answer as before', async () => {
  await change(() => rmSync(join(copy.root, wordFile)), 'Could not resolve "../../words/word.ts"');

  expect(await ask('fifth')).toEqual(good);
  await repair();
});

test('after a message file that is not JSON, its place is named', async () => {
  const file = 'modules/Lab/lang/en.json';
  await change(() => copy.write(file, '{\n  "a" "b"\n}'), `${file}:2:7: Expected ":" in JSON`);

  expect(await ask('sixth')).toEqual(good);
  await change(() => copy.write(file, '{}'), 'Reloaded.');
});

test('after a route is renamed and cannot be described, its former path answers as before', async () => {
  const oldFile = 'modules/Lab/Web/lab/seventh.ts';
  const newFile = 'modules/Lab/Web/lab/eighth.ts';
  const odd = staticRoute.replace('data: z.string()', 'query: z.object({ at: z.date() }), data: z.string()');
  const remove = (file: string) => rmSync(join(copy.root, file));
  await change(() => {
    remove(oldFile);
    copy.write(newFile, odd);
  }, `${newFile}: the API reference cannot describe it`);

  expect(await ask('seventh')).toEqual(good);
  await change(() => {
    remove(newFile);
    copy.write(oldFile, staticRoute);
  }, 'Reloaded.');
  expect(await ask('seventh')).toEqual(good);
});

test('the next good version answers, also for files that load on first use', async () => {
  await change(() => copy.write(wordFile, source('better')), 'Reloaded.');

  for (const name of ['first', 'lazy']) expect(await ask(name)).toEqual({ status: 200, data: 'better' });
});
