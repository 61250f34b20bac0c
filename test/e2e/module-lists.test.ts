import { describe, expect, test } from '@jest/globals';
import { wordsOf } from '../support/words.ts';
import { absent, enabled, useWorkshop } from './module-fixture.ts';

// The commands that list.

const workshop = useWorkshop();
const { put, write, remove, setState } = workshop;
const run = workshop.runAlone;

/** Rows of a list, each a list of cells. */
const rowsOf = (printed: string): string[][] => printed.split('\n').map((line) => line.split(/ {2,}/));

describe('module:list', () => {
  test('shows the state of each module', async () => {
    put('Cart', absent);
    put('Shop', enabled);

    const { code, printed } = await run('module:list');

    expect(code).toBe(0);
    expect(rowsOf(printed)).toEqual([
      ['MODULE', 'VERSION', 'INSTALLED', 'ENABLED', 'REQUIRES', 'ROUTES', 'TOOLS'],
      ['Article', '0.1.0', 'yes', 'yes', 'System', expect.stringMatching(/^\d+$/), expect.any(String)],
      ['Cart', '0.1.0', 'no', 'no', 'System', '-', '-'],
      ['Shop', '0.1.0', 'yes', 'yes', 'System', '3', '1'],
      ['System', '0.1.0', 'yes', 'yes', '-', expect.any(String), expect.any(String)],
      ['UserCenter', '0.1.0', 'yes', 'yes', 'System', expect.any(String), expect.any(String)],
    ]);
  });

  test('lists the other modules if one is broken, and reports it', async () => {
    for (const name of ['Cart', 'Shop']) write(`modules/${name}/module.ts`, 'export default 1;');

    const passed = await run('module:list');
    setState('Shop', enabled);
    const failed = await run('module:list');

    expect(passed.code).toBe(0);
    expect(passed.complaint).toContain('Warning: modules/Shop/module.ts declares no module');
    expect(failed.code).toBe(1);
    expect(rowsOf(failed.printed)).toContainEqual(['Shop', '-', 'yes', 'yes', '-', '-', '-']);
    expect(failed.complaint).toContain('modules/Cart/module.ts declares no module');
    expect(failed.complaint).toContain('modules/Shop/module.ts is named "undefined"');
  });
});

describe('route:list', () => {
  test('shows method, path and gates of each route', async () => {
    const { code, printed } = await run('route:list');

    expect(code).toBe(0);
    expect(rowsOf(printed)).toEqual(
      expect.arrayContaining([
        ['METHOD', 'PATH', 'AUTH', 'PERMISSION', 'THROTTLES', 'MODULE'],
        ['POST', '/adminapi/system/login/account', 'open', '-', 'admin-login', 'System'],
        ['GET', '/adminapi/system/admin/list', 'admin.auth', 'system/admin/list:read', '-', 'System'],
        ['POST', '/api/system/upload/file', 'api.try-auth', '-', 'upload', 'System'],
        ['GET', '/api/user-center/profile', 'api.auth', '-', '-', 'UserCenter'],
        ['POST', '/mcp/service', 'mcp.auth', '-', 'mcp', 'System'],
        ['GET|HEAD', '/storage/{path+}', 'open', '-', '-', 'System'],
      ]),
    );
  });

  test('filters by a text', async () => {
    const { printed } = await run('route:list', 'API.AUTH');

    const [, ...rows] = rowsOf(printed);
    expect(rows.length).toBeGreaterThan(3);
    for (const row of rows) expect(row).toContain('api.auth');
  });

  test('says so if nothing matches', async () => {
    const complaint = 'There is no route with "nope"';
    expect(await run('route:list', 'nope')).toEqual({ code: 1, printed: '', complaint });
  });
});

describe('tool:list', () => {
  test('shows the access and permission of each tool, and whether the assistant can call it', async () => {
    put('Shop', enabled);
    remove('modules/Shop/Ai');

    const { code, printed } = await run('tool:list');
    const filtered = await run('tool:list', 'shop');

    const counts = expect.stringMatching(/^Counts/);
    expect(code).toBe(0);
    expect(rowsOf(printed)).toEqual(
      expect.arrayContaining([
        ['TOOL', 'ACCESS', 'PERMISSION', 'ASSISTANT', 'MODULE', 'DESCRIPTION'],
        ['system.user_count', 'read', 'tool/system.user_count:read', 'yes', 'System', counts],
        ['shop.list_kinds', 'read', 'shop/kind/list:read', 'no', 'Shop', expect.any(String)],
      ]),
    );
    expect(rowsOf(filtered.printed)).toHaveLength(2);
  });

  test('says so if nothing matches', async () => {
    const complaint = 'There is no tool with "nope"';
    expect(await run('tool:list', 'nope')).toEqual({ code: 1, printed: '', complaint });
  });
});

describe('npm run service', () => {
  const commands = wordsOf(`
    install migrate seed admin:unlock module:list module:make module:check module:install
    module:enable module:disable module:uninstall module:delete resource:make resource:field
    error:make route:list tool:list job:list job:run cache:clear dict:clear dict:import config:get
    config:set config:pull config:plan config:apply stage:check storage:link storage:migrate
    storage:verify audit:export audit:verify audit:digest backup restore demo stage:remove stage:sweep
    help
  `);

  test.each([[['--help']], [['help']], [['-h']]])('%j lists every command', async (args) => {
    const { code, printed } = await run(...args);

    expect(code).toBe(0);
    const [, list = ''] = printed.split('Commands:\n');
    const names = list.match(/^ {2}[a-z:]+/gm)?.map((name) => name.trim());
    expect(names).toEqual(commands);
  });

  test('describes a command with --help, and does nothing', async () => {
    const result = await run('module:make', 'Shop', '--help');

    expect(result.code).toBe(0);
    expect(result.printed).toMatch(/^Usage: npm run service -- module:make \[options\] <Name>\n/);
    expect(workshop.has('modules/Shop')).toBe(false);
  });

  test.each([[[]], [['module:mkae']], [['__proto__']]])('exits with 2 for %j', async (args) => {
    expect(await run(...args)).toMatchObject({ code: 2, printed: '' });
  });

  test('suggests the command that was meant', async () => {
    const { complaint } = await run('module:mkae', 'Shop');

    expect(complaint).toContain("unknown command 'module:mkae'\n(Did you mean module:make?)");
  });
});
