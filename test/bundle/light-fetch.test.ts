import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { bundleOptions } from '../../esbuild.config.ts';
import { projectRoot } from '../support/local-server.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'light-fetch-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const modern = '2026-07-28';
const claim = {
  'io.modelcontextprotocol/protocolVersion': modern,
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const clientInfo = { name: 'test', version: '1' };

type Asked = [headers: Record<string, string>, body: string];
const ask = (headers: Record<string, string>, message: unknown): Asked => [
  { accept: 'application/json', ...headers },
  JSON.stringify(message),
];
const handshakeEra = (method: string, params: object = {}, id: unknown = 1) =>
  ask({ 'mcp-protocol-version': '2025-11-25' }, { jsonrpc: '2.0', id, method, params });
const modernEra = (method: string, params: { name?: string } = {}, headers = {}) =>
  ask(
    {
      'MCP-Protocol-Version': modern,
      'mcp-method': method,
      ...(params.name !== undefined && { 'mcp-name': params.name }),
      ...headers,
    },
    { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: claim } },
  );

const requests: Asked[] = [
  handshakeEra('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }),
  handshakeEra('tools/list'),
  handshakeEra('tools/call', { name: 'a.b', arguments: { x: '字' } }),
  handshakeEra('tools/call', { name: 'no.such' }),
  handshakeEra('tools/call', { name: 1 }),
  handshakeEra('no/such'),
  handshakeEra('ping', {}, 'text'),
  ask({ 'mcp-protocol-version': '1999-01-01' }, { jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  ask({}, { jsonrpc: '2.0', method: 'notifications/initialized' }),
  ask({}, { jsonrpc: '2.0', id: 1, result: {} }),
  ask({}, []),
  ask({}, 'text'),
  [{ accept: 'text/html' }, '{}'],
  modernEra('server/discover'),
  modernEra('tools/list'),
  modernEra('tools/call', { name: 'a.b' }),
  modernEra('tools/call', { name: 'no.such' }),
  modernEra('tools/call', { name: 'a.b' }, { 'mcp-name': 'another' }),
  modernEra('tools/call', { name: 'a.b' }, { 'mcp-method': 'tools/list' }),
  modernEra('no/such'),
  ask(
    { 'mcp-protocol-version': '2030-01-01' },
    { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: claim } },
  ),
  [{ accept: '*/*' }, '{'],
  [{ 'mcp-protocol-version': modern }, ''],
];

/** Answers all requests in another process, by `serveMcp` bundled with some plugins. */
async function answer(isLight: boolean) {
  const outdir = join(folder, String(isLight));
  const plugins = bundleOptions.plugins.filter(({ name }) => isLight || name !== 'light-fetch');
  await build({
    ...bundleOptions,
    plugins,
    sourcemap: false,
    absWorkingDir: projectRoot,
    entryPoints: ['shared/tools/mcp-service.ts'],
    outdir,
  });
  const script = join(folder, `${isLight}.mjs`);
  writeFileSync(
    script,
    `import { serveMcp } from ${JSON.stringify(join(outdir, 'mcp-service.mjs'))};
    const surface = {
      server: { name: 'test', title: 'Test', version: '1' },
      tools: () => [{ name: 'a.b', inputSchema: { type: 'object' } }],
      call: async (name, args) => {
        if (name !== 'a.b') throw new Error('no such tool');
        return { content: [{ type: 'text', text: JSON.stringify(args) }] };
      },
    };
    const isLoaded = () => process.moduleLoadList.includes('NativeModule internal/deps/undici/undici');
    const answers = [];
    for (const [headers, body] of ${JSON.stringify(requests)}) {
      const answer = await serveMcp(headers, body, surface);
      answers.push({ ...answer, isLoaded: isLoaded() });
    }
    process.stdout.write(JSON.stringify(answers));`,
  );
  const answers: { status: number; body: string; isLoaded: boolean }[] = JSON.parse(
    execFileSync(process.execPath, [script], { encoding: 'utf8' }),
  );
  return answers;
}

describe('the MCP service in a bundle', () => {
  test("answers as with Node's own classes, without loading undici for what is JSON", async () => {
    const [own, light] = [await answer(false), await answer(true)];

    const without = (answers: typeof own) => answers.map(({ isLoaded: _isLoaded, ...rest }) => rest);
    expect(without(light)).toEqual(without(own));
    expect(own.map(({ status }) => status)).toEqual(expect.arrayContaining([200, 202, 400]));
    expect(own[0]?.isLoaded).toBe(true);
    // The first request whose body is not JSON needs Node's own.
    const firstBad = requests.findIndex(([, body]) => body === '{');
    expect(light.slice(0, firstBad).map(({ isLoaded }) => isLoaded)).not.toContain(true);
  });
});
