import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { bundleFunction } from '../support/bundle-function.ts';
import { createEvent } from '../support/function-event.ts';
import { copyProject } from '../support/project-copy.ts';
import { useServer } from '../support/use-server.ts';
import { addLab, labTool } from './lab-tools.ts';
import { sendRpc } from './rpc-client.ts';

/** Source of a route whose handler fails in a way that has no status. */
const failingRoute = (declaration: string) => `
  import * as z from 'zod/mini';
  import { AppError } from '#shared/errors/app-error.ts';
  import { RawAnswer, rawAnswer } from '#shared/http/raw-answer.ts';
  import { admin, web } from '#shared/http/route.ts';
  const summary = { zh_CN: '实验', en: 'Experiment' };
  const undeclared = async () => { throw new AppError({ code: 'lab.unknown' }); };
  const unnumbered = async () => new RawAnswer(Object({}).status, {});
  export default ${declaration};
`;
const routes = {
  'Web/lab/undeclared.ts': 'web.get({ summary, data: z.null(), handler: undeclared })',
  'Web/lab/unnumbered.ts': 'web.get({ summary, data: rawAnswer, handler: unnumbered })',
  'Admin/trial/undeclared.ts': 'admin.get({ summary, data: z.null(), handler: undeclared })',
};
const tool = labTool('UndeclaredTool', 'undeclared', 'return 1;').replace(
  "access = 'read';",
  "access = 'write'; override async authorize() { throw new AppError({ code: 'lab.unknown' }); }",
);

const copy = copyProject();
addLab(copy);
for (const [file, declaration] of Object.entries(routes)) {
  copy.write(`modules/Lab/${file}`, failingRoute(declaration));
}
copy.write('modules/Lab/Mcp/Tools/UndeclaredTool.ts', tool);
copy.enable('System', 'Lab');
const { server, client, admin } = useServer({ root: copy.root });

const internal = { status: 500, code: 'internal', data: null };
const call = { name: 'lab.undeclared', arguments: {} };
const rpc = (params: object) => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });

describe('a failure without a status is 500 internal', () => {
  test('of a route, logged with the code', async () => {
    expect(await client.get('/lab/undeclared')).toMatchObject(internal);
    await server.prints(/"event":"internal".*lab\.unknown/);
  });

  test('of a raw answer', async () => {
    expect(await client.get('/lab/unnumbered')).toMatchObject(internal);
  });

  test('of a route with a login', async () => {
    expect(await admin.get('/adminapi/lab/trial/undeclared')).toMatchObject(internal);
  });

  test("of a tool's authorize, by call", async () => {
    expect(await admin.post('/adminapi/system/ai/mcp/call', call)).toMatchObject(internal);
    await server.prints(/"event":"tool".*"outcome":"internal".*lab\.unknown/);
  });

  test("of a tool's authorize, by rpc", async () => {
    const answer = await sendRpc(server.url, rpc(call), { authorization: `Bearer ${admin.token}` });

    expect(answer.json).toMatchObject({ error: { code: -32603, data: { code: 'internal' } } });
  });

  test("of a tool's authorize, by the MCP service", async () => {
    const answer = await fetch(`${server.url}/mcp/service`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${admin.token}` },
      body: JSON.stringify(rpc(call)),
    });

    expect(await answer.json()).toMatchObject({
      result: { isError: true, content: [{ text: expect.stringMatching(/^internal: /) }] },
    });
  });
});

const program = `
  const { handler } = await import(process.argv[1]);
  const context = { awsRequestId: 'r1', getRemainingTimeInMillis: () => 20000 };
  const { statusCode, body } = await handler(JSON.parse(process.argv[2]), context);
  const printed = JSON.stringify({ statusCode, code: JSON.parse(body).code });
  process.stdout.write('\\n' + printed, () => process.exit());
`;

test.each(['undeclared', 'unnumbered'])('the bundled function of /lab/%s answers the same', async (name) => {
  await bundleFunction(copy.root, `lab-web-lab-${name}`);
  const bundle = join(copy.root, '.build', 'bundles', `lab-web-lab-${name}`, 'index.mjs');
  const event = JSON.stringify(createEvent({ method: 'GET', path: `/lab/${name}` }));
  const env = {
    APP_KEY: 'k'.repeat(32),
    TABLE_NAME: 'service',
    PUBLIC_URL: 'http://127.0.0.1:9',
    UPSTASH_REDIS_REST_URL: 'http://127.0.0.1:9',
    UPSTASH_REDIS_REST_TOKEN: 'token',
  };

  const args = ['--input-type=module', '-e', program, bundle, event];
  const printed = execFileSync(process.execPath, args, { env, encoding: 'utf8', stdio: 'pipe' });

  expect(JSON.parse(printed.slice(printed.lastIndexOf('\n')))).toEqual({ statusCode: 500, code: 'internal' });
});
