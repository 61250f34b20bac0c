import { join, resolve } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { stripTitles } from '#functions/bundle/strip-titles.ts';
import { bundleOptions } from '../../../../esbuild.config.ts';
import { createProject } from '../fixtures.ts';

const root = resolve(__dirname, '../../../..');
const cleanUps: (() => void)[] = [];
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp();
});

async function bundle(entry: string): Promise<string> {
  const options = { ...bundleOptions, sourcemap: false, write: false, logLevel: 'silent' } as const;
  const outdir = join(root, '.build', 'unwritten');
  const { outputFiles } = await build({ ...options, absWorkingDir: root, entryPoints: [entry], outdir });
  return outputFiles.map(({ text }) => text).join('\n');
}

function bundleSource(source: string): Promise<string> {
  const project = createProject({ 'modules/Shop/schema.ts': source });
  cleanUps.push(project.remove);
  return bundle(join(project.root, 'modules/Shop/schema.ts'));
}

const importTitled = "import { titled } from '#shared/schema/titled.ts';\n";

describe('a function', () => {
  test('has no labels of its fields', async () => {
    const code = await bundle('modules/Article/Admin/article/add.ts');

    // Not the code itself: a failure would print it.
    expect(['title:', '标题', '封面'].map((text) => code.includes(text))).toEqual([true, false, false]);
  });

  test('has the schema in the place of the call', async () => {
    const code = await bundleSource(`${importTitled}
      export const a = titled({ zh_CN: '甲', en: 'A' }, JSON.parse('1'));
      export const b = titled(
        { zh_CN: '乙', en: 'B', options: { on: { zh_CN: '开', en: 'On' }, off: { zh_CN: '关', en: 'Off' } } },
        JSON.parse('2'),
      );
    `);

    expect(code).toMatch(/=JSON\.parse\("1"\),\w+=JSON\.parse\("2"\)/);
    expect(code).not.toMatch(/[甲乙开关]/);
  });

  test('is not built if a label is not an object literal', async () => {
    const source = `${importTitled} const label = { zh_CN: '甲', en: 'A' }; export const a = titled(label, 1);`;

    await expect(bundleSource(source)).rejects.toThrow(/schema\.ts: .*titled\(label, 1\)/);
  });

  test('is not built if a label has a brace in it', async () => {
    const source = `${importTitled} export const a = titled({ zh_CN: '甲}', en: '}A' }, 1);`;

    await expect(bundleSource(source)).rejects.toThrow(/schema\.ts: .*titled\(\{/);
  });
});

test('the lines of a source stay in their places', () => {
  const source = "x;\nconst a = titled(\n  { zh_CN: '甲', en: 'A' },\n  z.string(),\n);\ny;";

  expect(stripTitles(source).split('\n')).toEqual([
    'x;',
    'const a = titled(',
    '',
    '  z.string(),',
    ');',
    'y;',
  ]);
});
