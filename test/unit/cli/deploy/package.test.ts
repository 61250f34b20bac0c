import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { type Zippable, zipSync } from 'fflate';
import { hashPackage } from '#cli/deploy/package.ts';
import { createTempDir } from '../../../support/local-server.ts';

interface Content {
  time?: string;
  resources?: object;
  zips?: Record<string, Zippable>;
}

const index = (...chunks: string[]) =>
  Buffer.from(`${chunks.map((chunk) => `import"./${chunk}.mjs";`).join('')}import{a as b}from"./c.mjs";b();`);
const source = { 'index.mjs': index('a', 'b'), 'chunks/a.mjs': Buffer.from('a') };

/** Writes a package, and returns its hash. */
function hash({ time = '1', resources = { A: { Type: 'X', Value: 1 } }, zips }: Content): string {
  const folder = createTempDir();
  const artifactDirectoryName = `serverless/backend-core/prod/${time}`;
  const Resources = { ...resources, F: { Code: { S3Key: `${artifactDirectoryName}/f.zip` } } };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'cloudformation-template-update-stack.json'), JSON.stringify({ Resources }));
  writeFileSync(
    join(folder, 'serverless-state.json'),
    JSON.stringify({ package: { artifactDirectoryName } }),
  );
  for (const [name, files] of Object.entries(zips ?? { 'f.zip': source })) {
    writeFileSync(join(folder, name), zipSync(files));
  }
  return hashPackage(folder);
}

const usual = hash({});
const zipped = (files: Zippable) => ({ zips: { 'f.zip': files } });

describe('hashPackage', () => {
  it.each<[string, Content]>([
    ['the time of packaging', { time: '2026-11-22' }],
    ['the order of keys in the template', { resources: { A: { Value: 1, Type: 'X' } } }],
    [
      'the times of files',
      zipped({ ...source, 'index.mjs': [source['index.mjs'], { mtime: '1999-01-01' }] }),
    ],
    ['the compression', zipped({ ...source, 'index.mjs': [source['index.mjs'], { level: 0 }] })],
    ['the order of imports between chunks', zipped({ ...source, 'index.mjs': index('b', 'a') })],
    [
      'the hash in the name of a chunk',
      zipped({
        'index.mjs': Buffer.from(String(source['index.mjs']).replace('a.mjs', 'a-ABCD1234.mjs')),
        'chunks/a-ABCD1234.mjs': source['chunks/a.mjs'],
      }),
    ],
    ['the order of files', zipped(Object.fromEntries(Object.entries(source).reverse()))],
  ])('does not depend on %s', (_name, content) => {
    expect(hash(content)).toBe(usual);
  });

  it.each<[string, Content]>([
    ['a value in the template', { resources: { A: { Type: 'X', Value: 2 } } }],
    ['the content of a file', zipped({ ...source, 'chunks/a.mjs': Buffer.from('b') })],
    ['the chunks that a file imports', zipped({ ...source, 'index.mjs': index('a', 'd') })],
    ['the name of a file', zipped({ 'index.mjs': source['index.mjs'], 'chunks/b.mjs': Buffer.from('a') })],
    ['one more file', zipped({ ...source, 'install.lock': Buffer.from('') })],
    ['the zip that holds a file', { zips: { 'g.zip': source } }],
  ])('depends on %s', (_name, content) => {
    expect(hash(content)).not.toBe(usual);
  });
});
