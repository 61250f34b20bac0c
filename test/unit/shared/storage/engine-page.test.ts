import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import type { StorageEngine } from '#shared/storage/engine.ts';
import { projectRoot } from '../../../support/local-server.ts';
import { readCodeBlocks } from '../../../support/read-code-blocks.ts';

const folders: string[] = [];
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true });
});

/** Writes the example's two files outside `shared/` and loads the engine. */
async function loadExample(): Promise<{
  folder: string;
  createEngine(settings: { path: string; domain: string }): StorageEngine;
}> {
  await mkdir(join(projectRoot, '.build'), { recursive: true });
  const folder = await mkdtemp(join(projectRoot, '.build', 'engine-'));
  folders.push(folder);
  const [settings, engine] = readCodeBlocks('docs/write-an-engine.md');
  for (const [name, block] of Object.entries({ settings, engine })) {
    const code = block?.code
      .replaceAll("'../../", "'#shared/storage/")
      .replaceAll("'../", "'#shared/storage/engines/");
    await writeFile(join(folder, `${name}.ts`), code ?? '');
  }
  return { ...require(join(folder, 'engine.ts')), folder };
}

test('the engine of write-an-engine.md stores files in its folder', async () => {
  const { createEngine, folder } = await loadExample();
  const engine = createEngine({ path: folder, domain: 'https://files.example.com' });

  await engine.put('uploads/a.txt', Buffer.from('text'), 'text/plain');

  expect(await engine.stat('uploads/a.txt')).toEqual({ sizeBytes: 4 });
  expect(Buffer.from(await engine.readRange('uploads/a.txt', 1, 3)).toString()).toBe('ex');
  expect(engine.publicUrl('uploads/a.txt')).toBe('https://files.example.com/uploads/a.txt');
  await expect(engine.put('uploads/a.txt', Buffer.from('b'), 'text/plain')).rejects.toThrow();
  await engine.delete('uploads/a.txt');
  expect(await engine.stat('uploads/a.txt')).toBeUndefined();
});
