import '../support/environment.ts';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { administrator } from '../support/administrator.ts';
import { createTempDir, projectRoot } from '../support/local-server.ts';
import { useServer } from '../support/use-server.ts';

const readme = readFileSync(join(projectRoot, 'README.md'), 'utf8');
const blocksOf = (language: string) =>
  [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, block = '']) => block);

const { server, admin } = useServer({ byNpm: true });
/** A text of the README with the URL of this test's server. */
const adaptText = (text: string) =>
  text
    .replaceAll('http://localhost:3000', server.url)
    .replaceAll('.data/', `${server.dataDir}/`)
    .replace('"account":"admin"', `"account":"${administrator.account}"`)
    .replaceAll('THE PASSWORD', administrator.password);

const isRequest = (block: string) => block.includes('curl') || block.includes('call');
/** The request whose answer the README shows. */
const isEnglish = (block: string) => block.includes('X-Language');

async function runScript(script: string): Promise<string> {
  const { stdout } = await promisify(execFile)('bash', ['-ec', adaptText(script)], { cwd: createTempDir() });
  return stdout;
}

test('every command of the README succeeds on a running server', async () => {
  const script = blocksOf('sh')
    .filter((block) => isRequest(block) && !isEnglish(block))
    .join('\n');
  const stdout = await runScript(script);

  const codes = [...stdout.matchAll(/"code":"([^"]*)"/g)].map(([, code]) => code);
  expect(codes.length).toBe(script.match(/^(curl|call) /gm)?.length);
  expect(new Set(codes)).toEqual(new Set(['ok']));
});

test('the README shows the real English answer of its request', async () => {
  const [request = ''] = blocksOf('sh').filter(isEnglish);
  const [, shown = ''] = blocksOf('json');

  const answer = JSON.parse(await runScript(request));

  expect(answer).toEqual({ ...JSON.parse(shown), request_id: answer.request_id });
});

test('the configuration for MCP clients works', async () => {
  const [text = ''] = blocksOf('json');
  const body = { name: 'readme', scope: 'mcp:read', days: 1, password: administrator.password };
  const { token } = (await admin.post('/adminapi/system/admin/token/add', body)).data;
  const { url, headers } = JSON.parse(adaptText(text).replace('mcp_…', token)).mcpServers.backend;

  const mcp = new Client({ name: 'readme', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  await mcp.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));

  expect((await mcp.listTools()).tools.map(({ name }) => name)).toContain('system__overview');
  await mcp.close();
});
