import { expect, test } from '@jest/globals';
import { buildSync } from 'esbuild';
import { sumBytesBySource } from '../../../cli/package/budgets/sum-bytes.ts';

test('gives each source what lies between its segments, to the end of the line', () => {
  // Columns 0 and 4 of source 0, 6 of source 1; on the second line column 2 of source 0.
  const mappings = 'AAAA,IAAA,ECAA;EDAA';

  expect(sumBytesBySource('aaaabbcccc\n..dd', mappings)).toEqual(
    new Map([
      [0, 8],
      [1, 4],
    ]),
  );
});

test('leaves out what comes from no source', () => {
  // Column 0 of source 0; from column 4 on of none.
  expect(sumBytesBySource('aaaa....', 'AAAA,I')).toEqual(new Map([[0, 4]]));
});

test('reads numbers of several digits', () => {
  // `gCAAA`: column 32.
  expect(sumBytesBySource(' '.repeat(40), 'gCAAA')).toEqual(new Map([[0, 8]]));
});

test('agrees with what esbuild tells of a bundle', () => {
  const { metafile, outputFiles } = buildSync({
    entryPoints: ['shared/db/cursor.ts'],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    outdir: 'unwritten',
    sourcemap: 'external',
    metafile: true,
    write: false,
  });
  const [map, code] = ['.map', '.js'].map((end) => outputFiles.find(({ path }) => path.endsWith(end))?.text);
  const { sources, mappings } = JSON.parse(map ?? '');
  const output = Object.values(metafile.outputs).find(({ entryPoint }) => entryPoint);
  for (const [index, bytes] of sumBytesBySource(code ?? '', mappings)) {
    const source = String(sources[index]).replace(/^(?:\.\.\/)+/, '');
    const told = output?.inputs[source]?.bytesInOutput ?? 0;
    expect([source, Math.abs(bytes - told) <= 40 + told * 0.1]).toEqual([source, true]);
  }
});
