import '../support/environment.ts';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { createConsoleDescription } from '#functions/console/create-description.ts';
import type { ConsoleDescription } from '#functions/console/description.ts';
import { writeModuleStates } from '#functions/discover/module-states.ts';
import type { Manifest } from '#functions/model.ts';
import { toRoutePrefix } from '#shared/module/module.ts';
import { copyProject } from '../support/project-copy.ts';
import { discoverShipped, readShippedStates } from '../support/shipped-modules.ts';
import { useServer } from '../support/use-server.ts';

// No module knows another that it does not require: if one is deleted, everything but its own routes goes on.

const removed = 'Article';
const prefix = toRoutePrefix(removed);

let all: Manifest;
let copied: string;
const { admin } = useServer(() => {
  const { root } = copyProject();
  rmSync(join(root, 'modules', removed), { recursive: true });
  writeModuleStates(root, new Map([...readShippedStates()].filter(([name]) => name !== removed)));
  copied = root;
  return { root };
});
beforeAll(async () => {
  all = await discoverShipped();
});

test('the console has all pages and routes but those of the module', () => {
  const whole = createConsoleDescription(all);
  const description: ConsoleDescription = JSON.parse(
    readFileSync(join(copied, '.build', 'console', 'description.json'), 'utf8'),
  );
  const isOther = (path: string) => !path.replace(/^\/adminapi\//, '').startsWith(`${prefix}/`);

  expect(description.pages.map(({ path }) => path)).toEqual(
    whole.pages.map(({ path }) => path).filter(isOther),
  );
  expect(Object.keys(description.routes)).toEqual(Object.keys(whole.routes).filter(isOther));
  expect(description.settings).toEqual(whole.settings);
});

test('the overview counts what there is', async () => {
  const { status, data } = await admin.get('/adminapi/system/overview/detail');

  expect(status).toBe(200);
  expect(data).toMatchObject({ users: 0, admins: 1, articles: 0 });
});

describe('the tools', () => {
  test('are those of the other modules', async () => {
    const { data } = await admin.get('/adminapi/system/ai/mcp/tools');

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
    const answer = await admin.post('/adminapi/system/ai/mcp/call', call);

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
    const { status, code } = await admin.get(path);

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
    const answer = route.method === 'GET' ? await admin.get(path) : await admin.post(path, {});

    expect({ path, ...answer }).toMatchObject({ path, status: 404, code: 'route.not_found' });
  }
});
