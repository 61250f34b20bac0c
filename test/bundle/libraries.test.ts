import '../support/environment.ts';
import { execFile } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { parse } from 'yaml';
import { installLibraries } from '#cli/framework/libraries.ts';
import { bundleOptions } from '../../esbuild.config.ts';
import { createTempDir, projectRoot } from '../support/local-server.ts';
import { createPictures } from '../unit/shared/storage/hostile-pictures.ts';

const readJson = (file: string) => JSON.parse(readFileSync(join(projectRoot, file), 'utf8'));

/** Processors in the header of a file of Linux (ELF), by the architecture of AWS Lambda. */
const machines: Record<string, number> = { arm64: 183, x86_64: 62 };

describe('libraries with machine code', () => {
  test('are those of the tests, in the same version', () => {
    expect(readJson('native/package.json').dependencies).toEqual({
      sharp: readJson('package.json').dependencies.sharp,
    });
  });

  test('are installed for the architecture of the functions', () => {
    const { architecture } = parse(readFileSync(join(projectRoot, 'serverless.yml'), 'utf8')).provider;
    installLibraries(projectRoot, architecture);

    const files = globSync('native/node_modules/**/*.{node,so.*}', { cwd: projectRoot });
    expect(files).toHaveLength(2);
    for (const file of files) {
      const bytes = readFileSync(join(projectRoot, file));
      expect(bytes.subarray(0, 4)).toEqual(Buffer.from('\x7fELF'));
      expect(bytes.readUInt16LE(18)).toBe(machines[architecture]);
    }
  });

  test('of an unknown architecture are refused', () => {
    expect(() => installLibraries(projectRoot, 'riscv')).toThrow('arm64 or x86_64');
  });

  test('are loaded by a bundled function from their folder', async () => {
    const folder = createTempDir();
    const native = join(folder, 'native');
    mkdirSync(native);
    // Those of this machine: the tests cannot run those of another one.
    symlinkSync(join(projectRoot, 'node_modules'), join(native, 'node_modules'));
    const { 'a JPEG': picture } = await createPictures();
    const contents = `import { makeVariant } from '${join(projectRoot, 'shared/storage/variants/make-variant.ts')}';
      const made = await makeVariant(Buffer.from('${picture?.toString('base64')}', 'base64'), 160);
      console.log(Buffer.from(made).subarray(8, 12).toString());`;
    await build({
      ...bundleOptions,
      absWorkingDir: projectRoot,
      stdin: { contents, resolveDir: projectRoot },
      outdir: join(folder, 'code'),
    });
    const bundle = join(folder, 'code', 'stdin.mjs');
    const run = (env: Record<string, string>) =>
      promisify(execFile)(process.execPath, [bundle], { cwd: folder, env: { ...process.env, ...env } });

    expect((await run({ LIBRARIES_DIR: native })).stdout).toBe('WEBP\n');
    await expect(run({ LIBRARIES_DIR: '' })).rejects.toThrow("Cannot find module 'sharp'");
  });
});
