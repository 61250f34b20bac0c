import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { listReached } from '#functions/bundle/keep-chunks-apart.ts';
import { bundleOptions } from '../../esbuild.config.ts';
import { projectRoot } from '../support/local-server.ts';

const tool = /^modules\/\w+\/(?:Mcp|Ai)\/Tools\//;
const entryOf = (name: string) => join(projectRoot, '.build', 'entries', `${name}.mjs`);

async function bundle(name: string) {
  expect(existsSync(entryOf(name))).toBe(true);
  const { metafile } = await build({
    ...bundleOptions,
    absWorkingDir: projectRoot,
    entryPoints: [entryOf(name)],
    outdir: join(projectRoot, '.build', 'unwritten'),
    write: false,
  });
  return metafile;
}

const listInputs = async (name: string) => Object.keys((await bundle(name)).inputs);

test.each(['tools', 'call'])('the function of %s holds every tool, and no SDK', async (name) => {
  const inputs = await listInputs(`system-admin-ai-mcp-${name}`);

  expect(inputs).toContain('modules/System/Mcp/Tools/UserCountTool.ts');
  expect(inputs).toContain('modules/System/Ai/Tools/UserCountTool.ts');
  expect(inputs.filter((input) => /node_modules\/(?:@modelcontextprotocol|openai)\//.test(input))).toEqual(
    [],
  );
});

test.each(['system-web-mcp-service', 'system-admin-ai-mcp-call', 'system-admin-ai-mcp-chat'])(
  'the function %s loads the tools and their routes on first use',
  async (name) => {
    const metafile = await bundle(name);
    const files = listReached(metafile, true);
    const started = files.flatMap((file) => Object.keys(metafile.outputs[file]?.inputs ?? {}));

    // The entry, what it starts with, and helpers of esbuild.
    expect(files.length).toBeLessThanOrEqual(3);
    expect(started).toContain('shared/tools/registry.ts');
    // It prefetches.
    const ownTool = 'modules/System/Mcp/Tools/AiSettingsTool.ts';
    expect(started.filter((input) => tool.test(input))).toEqual([ownTool]);
    expect(started.filter((input) => /^modules\/(?:Article|UserCenter)\//.test(input))).toEqual([]);
    expect(started).not.toContain('.build/tools.json');
  },
);

test.each(['system-admin-config-dict', 'system-admin-admin-list', 'article-api-article-list', 'default'])(
  'the function %s holds none',
  async (name) => {
    const inputs = await listInputs(name);

    expect(inputs.some((input) => input.startsWith('shared/http/'))).toBe(true);
    expect(inputs.filter((input) => tool.test(input))).toEqual([]);
    expect(inputs.filter((input) => input.startsWith('shared/tools/'))).toEqual([]);
  },
);

test('the entry of a route without tools does not import tools', () => {
  const source = readFileSync(entryOf('system-admin-config-dict'), 'utf8');

  expect(source).not.toMatch(/tool/i);
});
