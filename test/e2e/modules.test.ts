import { execFileSync } from 'node:child_process';
import { beforeAll, expect, test } from '@jest/globals';
import * as z from 'zod/mini';
import { administrator } from '../support/administrator.ts';
import { bundleFunction } from '../support/bundle-function.ts';
import { copyProject } from '../support/project-copy.ts';
import { readCodeBlocks } from '../support/read-code-blocks.ts';
import { runService } from '../support/run-service.ts';
import { useServer } from '../support/use-server.ts';

// Module commands beside a running local server: no file is edited and nothing is restarted.

const copy = copyProject(['.gitignore']);
let token: string;

const { server } = useServer({ login: false, root: copy.root });

beforeAll(async () => {
  git('init', '--quiet');
  git('add', '--all');
  git('-c', 'user.name=test', '-c', 'user.email=test@example.com', 'commit', '--quiet', '-m', 'as it is');
  const login = await ask('/adminapi/system/login/account', administrator);
  token = z.parse(z.object({ data: z.object({ token: z.string() }) }), login.body).data.token;
});
const git = (...args: string[]) => execFileSync('git', args, { cwd: copy.root, encoding: 'utf8' });
const run = (...args: string[]) => runService(copy.root, { DATA_DIR: server.dataDir }, ...args);

/** Asks as the administrator. @param body makes it a POST */
async function ask(path: string, body?: unknown) {
  const login = token && { authorization: `Bearer ${token}` };
  const response = await fetch(server.url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', 'x-language': 'en', ...login },
    body: JSON.stringify(body),
  });
  const { status, headers } = response;
  return { status, limit: headers.get('ratelimit-limit'), body: Object(await response.json()) };
}

/** Runs a command that changes the routes, and waits until the server has reloaded. */
async function change(...args: string[]): Promise<string> {
  const word = /Restarted: the routes have changed/g;
  const before = server.printed().match(word)?.length ?? 0;
  const { code, printed, complaint } = await run(...args);
  expect({ code, complaint }).toEqual({ code: 0, complaint: '' });
  await server.prints(new RegExp(`(?:${word.source}[\\s\\S]*){${before + 1}}`));
  return printed;
}

const userRoute = '/api/shop/kind/list';
const adminRoute = '/adminapi/shop/kind/list';
const detailRoute = '/api/shop/kind/detail';
const kinds = {
  list: [
    { name: '标准', value: 'standard' },
    { name: '特殊', value: 'special' },
  ],
};

/** Everything of the module Shop that callers can see. */
async function look() {
  const [user, admin, detail, call, tools, document, cli] = [
    await ask(userRoute),
    await ask(adminRoute),
    await ask(`${detailRoute}?value=none`),
    await ask('/adminapi/system/ai/mcp/call', { name: 'shop.list_kinds', arguments: {} }),
    await ask('/adminapi/system/ai/mcp/tools'),
    await ask('/openapi.json'),
    await run('tool:list', 'shop.'),
  ];
  const listed = tools.body.data.tools.filter(({ name }: { name: string }) => name.startsWith('shop.'));
  return {
    routes: [user, admin].map(({ status, body }) => [status, body.code, body.data]),
    call: [call.status, call.body.code, call.body.data?.result],
    tools: listed.map(({ name, chat }: { name: string; chat: boolean }) => [name, chat]),
    documented: Object.keys(document.body.paths).filter((path) => path.includes('/shop/')),
    // The module's own code, throttle and message; tests multiply limits by 1000.
    refusal: [detail.status, detail.body.code, detail.body.message, detail.limit],
    registered: cli.printed.includes('shop.list_kinds'),
  };
}

const there = {
  routes: [
    [200, 'ok', kinds],
    [200, 'ok', kinds],
  ],
  call: [200, 'ok', kinds],
  tools: [['shop.list_kinds', true]],
  documented: [adminRoute, detailRoute, userRoute],
  refusal: [404, 'shop.kind_not_found', 'There is no such kind', '60000'],
  registered: true,
};
const gone = {
  routes: [
    [404, 'route.not_found', null],
    [404, 'route.not_found', null],
  ],
  call: [404, 'tool.not_registered', undefined],
  tools: [],
  documented: [],
  refusal: [404, 'route.not_found', 'There is no such endpoint', null],
  registered: false,
};

/** What callers see after a command of the page that changes the routes. */
const afterwards: Record<string, object> = {
  'module:enable': there,
  'module:disable': gone,
  'module:uninstall': gone,
};
const dictionary = '/adminapi/system/config/dict?type=shop_kind';

const blocks = readCodeBlocks('docs/modules.md');
const [writing = '', looking = '', living = ''] = blocks.flatMap(({ language, code }) =>
  language === 'sh' ? [code] : [],
);
const [found] = blocks.filter(({ language }) => language === 'ts');

/** Runs a line of the page and checks the result. */
async function follow(line: string): Promise<void> {
  const [, url] = /^curl (\S+)$/.exec(line) ?? [];
  if (url) return expect(await ask(new URL(url).pathname)).toMatchObject({ status: 200 });
  const [, command = '', rest = ''] = /^npm run service -- (\S+)(.*)$/.exec(line) ?? [];
  const args = rest.split(' ').filter((arg) => arg !== '');
  if (!afterwards[command]) {
    return expect(await run(command, ...args)).toMatchObject({ code: 0, complaint: '' });
  }
  await change(command, ...args);
  expect([line, await look()]).toEqual([line, afterwards[command]]);
}

test('a module is made, enabled, disabled, uninstalled and deleted as docs/modules.md says', async () => {
  const [disabling = '', ...rest] = living.trim().split('\n');

  for (const line of [writing, looking].flatMap((code) => code.trim().split('\n'))) await follow(line);
  await follow(disabling);
  const kept = await ask(dictionary);
  const files = git('status', '--short').trim().split('\n');
  for (const line of rest) await follow(line);

  expect(kept.body.data).toEqual({ shop_kind: kinds.list });
  expect(files).toEqual(['M modules/modules.json', '?? modules/Shop/']);
  expect((await ask(dictionary)).body.data).toEqual({ shop_kind: [] });
  expect(git('status', '--short')).toBe('');
  expect((await ask('/health')).status).toBe(200);
}, 180_000);

test('the sources of docs/modules.md work as they are pasted', async () => {
  await run('module:make', 'Shop');
  copy.write(found?.file ?? '', found?.code ?? '');
  await change('module:enable', 'Shop');

  const { inputs } = await bundleFunction(copy.root, 'shop-api-kind-detail');
  const answers = [];
  for (const value of ['special', 'none']) answers.push(await ask(`/api/shop/kind/find?value=${value}`));

  expect(Object.keys(inputs)).toEqual(
    expect.arrayContaining(
      ['errors.ts', 'throttles.ts', 'lang/en.json'].map((file) => `modules/Shop/${file}`),
    ),
  );
  expect(found?.file).toBe('modules/Shop/Api/kind/find.ts');
  expect(answers).toMatchObject([
    { status: 200, body: { data: { value: 'special', name: '特殊' } } },
    { status: 404, body: { code: 'shop.kind_not_found' } },
  ]);
}, 180_000);
