import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { StorageEngine } from '#shared/storage/engine.ts';
import { newKey } from '../../../contract/storage/direct-upload.ts';
import { projectRoot } from '../../../support/local-server.ts';
import { readCodeBlocks } from '../../../support/read-code-blocks.ts';

// The files of the page are in a folder of their own. Their imports of other files lead to the project.
mkdirSync(join(projectRoot, '.build'), { recursive: true });
const folder = mkdtempSync(join(projectRoot, '.build', 'engine-'));
afterAll(() => rmSync(folder, { recursive: true }));

const registry = 'shared/storage/engines.ts';
const home = 'shared/storage/engines/folder.ts';
const suite = 'test/contract/storage/folder.test.ts';
const blocks = readCodeBlocks('docs/write-an-engine.md').filter(({ language }) => language === 'ts');
const [engine = '', entry = '', contract = ''] = blocks.map(({ code }) => code);
const files = new Map([
  [home, engine],
  [registry, addEntry(readFileSync(join(projectRoot, registry), 'utf8'))],
  [suite, contract],
]);
for (const [file, code] of files) {
  mkdirSync(join(folder, dirname(file)), { recursive: true });
  writeFileSync(join(folder, file), placeImports(file, code));
}

/** The registry, changed as step 3 says, also if another person has followed the page already. */
function addEntry(code: string): string {
  if (code.includes("'./engines/folder")) return code;
  const added = code.replace('\n} satisfies', `\n${entry}} satisfies`);
  return `import { folder } from './engines/folder.ts';\n${added}`;
}

function placeImports(file: string, code: string): string {
  return code.replaceAll(/'(\.\.?\/|#)([^'\s]+\.ts)'/g, (_import, start: string, rest: string) => {
    const target = start === '#' ? rest : join(dirname(file), start, rest);
    return `'${join(files.has(target) ? folder : projectRoot, target)}'`;
  });
}

describe('the engine of write-an-engine.md', () => {
  const create = (path: string): StorageEngine =>
    require(join(folder, home)).createEngine({ path, domain: 'https://files.example.com' });

  test('has its types right, with its entry and its test', async () => {
    const options = { extends: '../../tsconfig.json', include: ['**/*.ts'] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(options));
    const tsc = join(projectRoot, 'node_modules/.bin/tsc');

    const printed = await new Promise((resolve) =>
      execFile(tsc, ['--project', folder, '--pretty', 'false'], (_error, stdout, stderr) =>
        resolve(stdout + stderr),
      ),
    );

    expect(printed).toBe('');
  });

  test('creates its folder, and serves only whole files', async () => {
    const path = join(folder, 'new');
    const key = newKey();

    await create(path).put(key, Buffer.from('text'), 'image/png');

    expect(readFileSync(join(path, 'public', key), 'utf8')).toBe('text');
    expect(create(path).publicUrl(key)).toBe(`https://files.example.com/${key}`);
  });

  test('is not configured without a folder, or with one that cannot be created', () => {
    writeFileSync(join(folder, 'file'), '');

    for (const path of ['', join(folder, 'file'), '/proc/none'])
      expect(() => create(path)).toThrow(expect.objectContaining({ code: 'storage.not_configured' }));
  });

  test('takes absolute paths only', () => {
    const { schema } = require(join(folder, home)).folder.keys.path;

    expect(
      ['/srv/files', 'files', '../files', 'C:\\files'].map((path) => schema.safeParse(path).success),
    ).toEqual([true, false, false, false]);
  });
});

// The test of the page, which calls the suite of all engines.
require(join(folder, suite));
