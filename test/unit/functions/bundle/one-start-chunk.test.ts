import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { listReached } from '#functions/bundle/keep-chunks-apart.ts';
import { oneStartChunk } from '#functions/bundle/one-start-chunk.ts';
import { createProject } from '../fixtures.ts';

const names = ['one', 'two', 'three'];
const project = createProject({
  '.build/entries/f.mjs': `
    import { count } from '../../shared/state.mjs';
    import { base } from '../../shared/base.mjs';
    import '../../shared/note.mjs';
    export const handler = async (name) => ({ start: count() + base, late: await load[name]() });
    const load = {
      ${names.map((name) => `${name}: () => import('../../late/${name}.mjs')`).join(', ')},
      again: () => import('../entries/../../late/one.mjs'),
    };`,
  'shared/state.mjs': 'let counted = 0; export const count = () => ++counted;',
  'shared/base.mjs': 'export const base = 100;',
  'shared/note.mjs': 'globalThis.startsOfOneStartChunk = (globalThis.startsOfOneStartChunk ?? 0) + 1;',
  'late/one.mjs':
    "import { count } from '../shared/state.mjs'; export default count(); export const named = 'one';",
  'late/two.mjs':
    "import { base } from '../shared/base.mjs'; const two = base + 2; export { two as default };",
  'late/three.mjs': `
    import { count } from '../shared/state.mjs';
    import { base } from '../shared/base.mjs';
    export const three = () => count() + base;`,
});
afterAll(() => project.remove());

const bundle = (folder: string, plugins = [oneStartChunk]) =>
  build({
    absWorkingDir: project.root,
    entryPoints: ['.build/entries/f.mjs'],
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    metafile: true,
    logLevel: 'silent',
    plugins,
  });

describe('a function with files that load late', () => {
  test('starts with its entry and one chunk', async () => {
    const { metafile } = await bundle('together');
    const { metafile: apart } = await bundle('apart', []);

    expect(listReached(metafile, true)).toHaveLength(2);
    expect(listReached(apart, true).length).toBeGreaterThan(2);
  });

  test('runs its start once, and shares its state with them', async () => {
    await bundle('run');
    const { handler } = await import(pathToFileURL(join(project.root, 'run', 'f.mjs')).href);

    expect(await handler('one')).toEqual({
      start: 101,
      late: expect.objectContaining({ default: 2, named: 'one' }),
    });
    expect(await handler('again')).toMatchObject({ start: 103, late: { default: 2 } });
    expect(await handler('two')).toMatchObject({ start: 104, late: { default: 102 } });
    const { late } = await handler('three');
    expect(late).not.toHaveProperty('default');
    expect(late.three()).toBe(106);
    expect(Reflect.get(globalThis, 'startsOfOneStartChunk')).toBe(1);
  });
});
