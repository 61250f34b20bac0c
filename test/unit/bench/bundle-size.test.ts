import { expect, test } from '@jest/globals';
import type { Metafile } from 'esbuild';
import { listSdkFiles, listStaticFiles, sumBytes, sumStaticBytes } from '../../../bench/bundle-size.ts';

type Output = Metafile['outputs'][string];

function output(bytes: number, imports: Output['imports'] = [], input = 'shared/a.ts'): Output {
  return { bytes, imports, inputs: { [input]: { bytesInOutput: bytes } }, exports: [] };
}

const metafile: Metafile = {
  inputs: {},
  outputs: {
    'out/index.mjs': output(100, [
      { path: 'out/chunk-a.mjs', kind: 'import-statement' },
      { path: 'out/sdk.mjs', kind: 'dynamic-import' },
    ]),
    'out/index.mjs.map': output(5000),
    'out/chunk-a.mjs': output(20, [{ path: 'out/chunk-b.mjs', kind: 'import-statement' }]),
    'out/chunk-b.mjs': output(3, [{ path: 'out/chunk-a.mjs', kind: 'import-statement' }]),
    'out/sdk.mjs': output(9000, [], 'node_modules/@aws-sdk/client-dynamodb/index.js'),
  },
};

test('follows static imports, once each, and no dynamic ones', () => {
  expect(listStaticFiles(metafile)).toEqual(['out/index.mjs', 'out/chunk-a.mjs', 'out/chunk-b.mjs']);
  expect(sumStaticBytes(metafile)).toBe(123);
});

test('adds up all code, and no source maps', () => {
  expect(sumBytes(metafile)).toBe(9123);
});

test('names the files with code of the AWS SDK', () => {
  expect(listSdkFiles(metafile)).toEqual(['sdk.mjs']);
});
