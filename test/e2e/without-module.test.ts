import '../support/environment.ts';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ConsoleDescription } from '#functions/console/description.ts';
import { writeModuleStates } from '#functions/discover/module-states.ts';
import type { Manifest } from '#functions/model.ts';
import { toRoutePrefix } from '#shared/module/module.ts';
import { type Client, createClient } from '../support/client.ts';
import { type LocalServer, projectRoot, startLocalServer } from '../support/local-server.ts';
import { copyProject } from '../support/project-copy.ts';
import { discoverShipped, readShippedStates } from '../support/shipped-modules.ts';

// No module knows another that it does not require: if one is deleted, everything but its own routes goes on.

const removed = 'Article';
const prefix = toRoutePrefix(removed);

let all: Manifest;
let server: LocalServer;
let client: Client;
let token: string;
let description: ConsoleDescription;

beforeAll(async () => {
  all = await discoverShipped();
  const { root } = copyProject();
  rmSync(join(root, 'modules', removed), { recursive: true });
  writeModuleStates(root, new Map([...readShippedStates()].filter(([name]) => name !== removed)));
  server = await startLocalServer({ root });
  client = createClient(server.url);
  token = await client.login();
  description = readDescription(root);
}, 120_000);
afterAll(() => server?.stop());

const readDescription = (root: string): ConsoleDescription =>
  JSON.parse(readFileSync(join(root, '.build', 'console', 'description.json'), 'utf8'));

test('the console has all pages and routes but those of the module', () => {
  const whole = readDescription(projectRoot);
  const isOther = (path: string) => !path.replace(/^\/adminapi\//, '').startsWith(`${prefix}/`);

  expect(description.pages.map(({ path }) => path)).toEqual(
    whole.pages.map(({ path }) => path).filter(isOther),
  );
  expect(Object.keys(description.routes)).toEqual(Object.keys(whole.routes).filter(isOther));
  expect(description.settings).toEqual(whole.settings);
});

test('the overview counts what there is', async () => {
  const { status, data } = await client.get('/adminapi/system/overview/detail', { token });

  expect(status).toBe(200);
  expect(data).toMatchObject({ users: 0, admins: 1, articles: 0 });
});

describe('the tools', () => {
  test('are those of the other modules', async () => {
    const { data } = await client.get('/adminapi/system/ai/mcp/tools', { token });

    const names = Object(data).tools.map(({ name }: { name: string }) => name);
    const others = all.tools.map(({ tool }) => tool.name).filter((name) => !name.startsWith(`${prefix}.`));
    expect(names.sort()).toEqual(others.sort());
  });

  test.each([
    ['system.overview', { users: 0, admins: 1, articles: 0 }],
    ['system.latest_articles', { articles: [] }],
    ['system.user_count', { total: 0 }],
    ['system.ai_settings', { enabled: false }],
    ['system.ai_usage_stats', { total: { calls: 0 } }],
  ])('%s answers', async (name, result) => {
    const call = { name, arguments: {} };
    const answer = await client.post('/adminapi/system/ai/mcp/call', call, { token });

    expect(answer).toMatchObject({ status: 200, data: { result } });
  });
});

test('every route of the other modules that reads answers', async () => {
  const reading = all.routes.filter(
    ({ route, module, path }) =>
      module !== removed && route.area === 'admin' && route.method === 'GET' && /\/(list|mine)$/.test(path),
  );
  expect(reading.length).toBeGreaterThan(5);
  for (const { path } of reading) {
    const { status, code } = await client.get(path, { token });

    // Some need a parameter.
    expect({ path, code, isThere: [200, 422].includes(status) }).toEqual({ path, code, isThere: true });
  }
});

test('no other module declares a code or a message of it', () => {
  const others = all.modules.filter(({ manifest }) => manifest.name !== removed);
  const names = others.flatMap(({ errors, messages }) => [
    ...Object.keys(errors),
    ...Object.keys(messages.en),
  ]);

  expect(names.filter((name) => name.startsWith(`${prefix}.`))).toEqual([]);
});

test('its own routes do not exist', async () => {
  for (const { path, route } of all.routes.filter(({ module }) => module === removed)) {
    const answer = route.method === 'GET' ? await client.get(path) : await client.post(path, {});

    expect({ path, ...answer }).toMatchObject({ path, status: 404, code: 'route.not_found' });
  }
});
