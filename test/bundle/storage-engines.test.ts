import '../support/environment.ts';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { engines } from '#shared/storage/engines.ts';
import { bundleOptions } from '../../esbuild.config.ts';
import { newKey, toUpload } from '../contract/storage/direct-upload.ts';
import { type Cloud, clouds } from '../doubles/clouds.ts';
import { projectRoot } from '../support/local-server.ts';

const run = promisify(execFile);
const [key, bytes] = [newKey(), 'of an object'];
/** Every operation of an engine; an object of another type is corrected by a copy. */
const program = `
  const engine = createEngine(JSON.parse(process.argv[2]));
  const results = [];
  const say = async (promise) => results.push((await promise) ?? null);
  await say(engine.stat('${key}'));
  await say(engine.put('${key}', Buffer.from('${bytes}'), 'text/plain'));
  await say(engine.put('${key}', Buffer.from('other'), 'text/plain').catch(({ name }) => name));
  await say(engine.finalise('${key}', ${bytes.length}));
  await say(engine.readRange('${key}', 3, 5).then((read) => Buffer.from(read).toString()));
  await say(engine.directTicket(JSON.parse(process.argv[3])).then(({ url }) => typeof url));
  await say(engine.delete('${key}'));
  console.log(JSON.stringify(results));`;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'engines-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each(Object.entries(clouds))(
  'a bundled function works with %s, without the HTTP client of its SDK',
  async (name, start) => {
    const engine = join(projectRoot, 'shared/storage/engines', name, 'engine.ts');
    const contents = `import { createEngine } from '${engine}';\n${program}`;
    const outdir = join(folder, name);
    await build({
      ...bundleOptions,
      absWorkingDir: projectRoot,
      stdin: { contents, resolveDir: projectRoot },
      outdir,
    });
    const cloud = await start();
    const bundle = join(outdir, 'stdin.mjs');

    const settings = { ...defaultsOf(cloud.name), ...cloud.settings };
    const args = [bundle, JSON.stringify(settings), JSON.stringify(toUpload({ sizeBytes: 3 }))];
    const env = { ...process.env, ALLOW_PRIVATE_ENDPOINTS: '1' };
    const { stdout } = await run(process.execPath, args, { env }).finally(cloud.stop);

    const stored = { sizeBytes: bytes.length };
    expect(JSON.parse(stdout)).toEqual([null, null, 'ObjectExistsError', stored, 'an', 'string', null]);
    expect(statSync(bundle).size).toBeLessThan(400_000);
  },
);

function defaultsOf(name: Cloud['name']): Record<string, unknown> {
  const keys = Object.entries(engines[name].settings?.keys ?? {});
  return Object.fromEntries(keys.map(([key, setting]) => [key, setting.default]));
}
