import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { listStaticFiles } from '../../bench/bundle-size.ts';
import { bundleOptions } from '../../esbuild.config.ts';
import { projectRoot } from '../support/local-server.ts';

const sdk = /node_modules\/openai\//;

/** The sources that a function holds, and those of them that load with it. */
async function listSources(name: string): Promise<{ all: string[]; loaded: string[] }> {
  const { metafile } = await build({
    ...bundleOptions,
    absWorkingDir: projectRoot,
    entryPoints: { index: join(projectRoot, '.build', 'entries', `${name}.mjs`) },
    outdir: join(projectRoot, '.build', 'unwritten'),
    write: false,
  });
  const loaded = listStaticFiles(metafile).flatMap((file) =>
    Object.keys(metafile.outputs[file]?.inputs ?? {}),
  );
  return { all: Object.keys(metafile.inputs), loaded };
}

describe.each(['chat', 'rpc'])('the function of %s', (name) => {
  test('holds the SDK of OpenAI, and loads it on first use', async () => {
    const { all, loaded } = await listSources(`system-admin-ai-mcp-${name}`);

    expect(all.some((source) => sdk.test(source))).toBe(true);
    expect(loaded).toContain(`modules/System/Admin/ai/mcp/${name}.ts`);
    expect(loaded.filter((source) => sdk.test(source))).toEqual([]);
  });
});

test.each(['system-web-mcp-service', 'system-admin-admin-token-add', 'system-admin-setting-config-save'])(
  'the function %s does not hold it',
  async (name) => {
    const { all, loaded } = await listSources(name);

    expect(loaded.length).toBeGreaterThan(10);
    expect(all.filter((source) => sdk.test(source))).toEqual([]);
  },
);
