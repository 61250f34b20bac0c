import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { findToolPermission } from '#functions/discover/permissions.ts';
import { loginAdmin } from '#modules/System/admins/admin-login.ts';
import { addAdmin, editAdmin } from '#modules/System/admins/admins.ts';
import { addApiToken } from '#modules/System/admins/api-tokens.ts';
import { addRole, editRole, getRole } from '#modules/System/roles/roles.ts';
import { listCountPartitions } from '#shared/audit/counts.ts';
import type { StoredEntry } from '#shared/audit/entry.ts';
import { auditPartition } from '#shared/audit/new-entry.ts';
import { verifyAuditItem } from '#shared/audit/stored-entries.ts';
import { formatPermission, type Permission } from '#shared/auth/permission.ts';
import { queryPartition } from '#shared/db/items.ts';
import { joinContributions } from '#shared/module/contributions.ts';
import { adapt } from '#shared/tools/ai-tool.ts';
import type { McpTool } from '#shared/tools/mcp-tool.ts';
import type { RegisteredTool, ToolRegistry } from '#shared/tools/registry.ts';
import { randomLetters } from '../../../../support/database.ts';
import { discoverShipped } from '../../../../support/shipped-modules.ts';
import { ownerOf } from '../../../../support/token-owner.ts';
import { registryOf } from '../../../../support/tool-registry.ts';
import { TestTool, WritingTool } from '../../../shared/tools/fixture.ts';
import { useChat } from './chat-fixture.ts';
import { type Channels, channels, openChannels } from './tool-channels.ts';

const bench = useChat();

/** Calls of the tool that writes. */
let drops = 0;

class DropTool extends WritingTool {
  override name = 'shop.drop';

  constructor() {
    super(
      async () => {},
      () => {
        drops += 1;
        return null;
      },
    );
  }
}
class FindTool extends TestTool {
  override name = 'shop.find';
}
/** Needs the permission of a route. */
class ArticlesTool extends TestTool {
  override name = 'shop.articles';
  override readonly permission = 'article/article/list:read';
}
/** Needs the permission of a sensitive route. */
class SettingsTool extends WritingTool {
  override name = 'shop.settings';
  override readonly permission = 'system/setting/config/save:write';

  constructor() {
    super(async () => {});
  }
}

let registry: ToolRegistry;
let opened: Channels;
beforeAll(async () => {
  const { tools, adapters, routes } = await discoverShipped();
  const own = [DropTool, FindTool, ArticlesTool, SettingsTool];
  const all: McpTool[] = [...tools.map(({ tool }) => tool), ...own.map((Tool) => new Tool())];
  registry = registryOf(
    all,
    [
      ...adapters.map(({ adapter }) => adapter),
      ...own.map((Tool) => new (adapt<DropTool['inputSchema']>(Tool))()),
    ],
    (tool) => findToolPermission(tool, routes),
  );
  const values = {
    contributions: joinContributions([]),
    modules: [],
    permissionTable: { permissions: [], folders: {}, actions: {} },
  };
  for (const tool of registry.tools) tool.loadNeeds = async () => values;
  opened = openChannels(registry, () => bench.provider);
});
beforeEach(() => {
  drops = 0;
});

const permissionOf = (name: string): Permission => {
  const { permission } = registry.find(name);
  if (!permission) throw new Error(`${name} has no permission`);
  return permission;
};

/** Calls a tool without arguments. Tools that require some refuse them only after the permission. */
async function attempt(...call: Parameters<Channels['attempt']>): Promise<string> {
  const outcome = await opened.attempt(...call);
  return outcome.startsWith('tool.arguments_invalid') ? 'runs' : outcome;
}

/** A new administrator who logs in. */
async function addCaller({ isSuper = false, roleIds = [] as string[] } = {}) {
  const account = randomLetters();
  const password = 'correct horse battery';
  const { id } = await addAdmin({ account, name: account, password, isSuper, roleIds });
  const { token } = await loginAdmin(account, password, '192.0.2.1');
  return { id, session: token };
}

/** An administrator with one role, whose grants can be replaced. */
async function addHolder(grants: string[] = []) {
  // The routes need their own permission besides that of the tool.
  const routes = ['system/ai/mcp:write'];
  const { id } = await addRole({ name: 'role', grants: [...routes, ...grants] });
  const caller = await addCaller({ roleIds: [id] });
  const setGrants = async (next: string[]) => {
    const role = await getRole(id);
    await editRole(role, role.version, { grants: [...routes, ...next] });
  };
  return { ...caller, setGrants };
}

const addToken = async (adminId: string, scope: 'mcp:read' | 'mcp:write', grants?: string[]) =>
  (await addApiToken(await ownerOf(adminId), { name: 'test', scope, days: 1, grants })).token;

/** Grants of a holder, by the name of the case. */
const cases: Record<string, (permission: Permission) => string[]> = {
  'no grant': () => [],
  'the right to read it': ({ path }) => [`${path}:read`],
  'the right to write it': ({ path }) => [`${path}:write`],
  'the folder of tools': () => ['tool:write'],
  "another tool's grant": () => ['tool/shop.other:write', 'tool/shop:write', 'article/article/delete:write'],
};

/** Ways to call: a channel, and a bearer for it. */
const ways = [
  ...channels.map((channel) => ({
    way: `${channel} with a session`,
    channel,
    scope: undefined,
    limit: undefined,
  })),
  ...(['mcp:read', 'mcp:write'] as const).flatMap((scope) =>
    ([undefined, 'own', 'other'] as const).map((limit) => ({
      way: `mcp with a token for ${scope}${limit ? ` and the grant of ${limit === 'own' ? 'the' : 'another'} tool` : ''}`,
      ...{ channel: 'mcp' as const, scope, limit },
    })),
  ),
];
type Way = (typeof ways)[number];

const bearerOf = async (
  { id, session }: { id: string; session: string },
  { scope, limit }: Way,
  name: string,
) => {
  if (!scope) return session;
  const { path } = permissionOf(name);
  const grants = { own: [`${path}:write`], other: ['tool/shop.other:write'] };
  return addToken(id, scope, limit && grants[limit]);
};

/** The rule of the specification, independent of the code. */
function predict({ access, name }: RegisteredTool, caseName: string, { scope, limit }: Way): string {
  const permission = permissionOf(name);
  const isHeld = {
    'no grant': false,
    'the right to read it': permission.kind === 'read',
    'the right to write it': true,
    'the folder of tools': permission.path.startsWith('tool/'),
    "another tool's grant": false,
    super: true,
    disabled: false,
  }[caseName];
  if (caseName === 'disabled') return 'auth.principal_disabled';
  if (!isHeld || limit === 'other') return `auth.permission_denied ${formatPermission(permission)}`;
  return scope === 'mcp:read' && access === 'write' ? 'auth.scope_insufficient' : 'runs';
}

describe.each(ways)('$way', (way) => {
  test('runs exactly the tools whose permission the caller holds', async () => {
    const people = { holder: await addHolder(), super: await addCaller({ isSuper: true }) };
    const disabled = await addCaller({ isSuper: true });
    const found: Record<string, string> = {};
    const expected: Record<string, string> = {};
    const bearers: [tool: RegisteredTool, bearer: string][] = [];
    const note = async (tool: RegisteredTool, caseName: string, bearer: string) => {
      const key = `${tool.name} with ${caseName}`;
      expected[key] = predict(tool, caseName, way);
      found[key] = await attempt(way.channel, bearer, tool.name);
    };

    for (const tool of registry.tools) {
      const bearer = await bearerOf(people.holder, way, tool.name);
      for (const [caseName, grantsFor] of Object.entries(cases)) {
        await people.holder.setGrants(grantsFor(permissionOf(tool.name)));
        await note(tool, caseName, bearer);
      }
      await note(tool, 'super', await bearerOf(people.super, way, tool.name));
      bearers.push([tool, await bearerOf(disabled, way, tool.name)]);
    }
    await editAdmin(disabled.id, { status: 'disabled' });
    for (const [tool, bearer] of bearers) await note(tool, 'disabled', bearer);

    expect(found).toEqual(expected);
    expect(new Set(Object.values(found)).size).toBeGreaterThan(2);
  }, 300_000);

  test('shows exactly the tools that run', async () => {
    const holder = await addHolder();
    const bearer = await bearerOf(holder, way, 'shop.drop');
    const grantSets = [
      [],
      ['tool:read'],
      ['tool:write', 'article:read'],
      ['tool/shop.drop:write', 'tool/system.overview:read', 'system/setting/config:write'],
    ];
    for (const grants of grantSets) {
      await holder.setGrants(grants);
      const running = [];
      for (const { name } of registry.tools) {
        if ((await attempt(way.channel, bearer, name)) === 'runs') running.push(name);
      }

      expect(await opened.list(way.channel, bearer)).toEqual(running);
    }
  }, 300_000);
});

describe('a change of a role', () => {
  test.each(channels)('is seen by the next call through %s', async (channel) => {
    const holder = await addHolder(['tool/shop.drop:write']);
    const bearer = channel === 'mcp' ? await addToken(holder.id, 'mcp:write') : holder.session;
    const outcomes = [];
    for (const grants of [['tool/shop.drop:write'], ['tool/shop.drop:read'], ['tool:write'], []]) {
      await holder.setGrants(grants);
      outcomes.push(await opened.attempt(channel, bearer, 'shop.drop'));
    }

    const denied = 'auth.permission_denied tool/shop.drop:write';
    expect(outcomes).toEqual(['runs', denied, 'runs', denied]);
    expect(drops).toBe(2);
  });

  test('is seen by a call that was proposed before and is confirmed after it', async () => {
    const holder = await addHolder(['tool/shop.drop:write']);
    const token = await opened.propose(holder.session, 'shop.drop', {});

    await holder.setGrants(['tool/shop.drop:read']);

    expect(await opened.confirm(holder.session, token)).toBe('auth.permission_denied tool/shop.drop:write');
    expect(drops).toBe(0);
  });

  test('gives nothing to a token beyond its own grants', async () => {
    const holder = await addHolder(['tool/shop.drop:write']);
    const token = await addToken(holder.id, 'mcp:write', ['tool/shop.drop:read', 'tool/shop.find:read']);
    const attempt = (name: string) => opened.attempt('mcp', token, name);
    const before = [await attempt('shop.drop'), await attempt('shop.find')];

    await holder.setGrants(['tool:write']);

    const denied = 'auth.permission_denied tool/shop.drop:write';
    expect(before).toEqual([denied, 'auth.permission_denied tool/shop.find:read']);
    expect([await attempt('shop.drop'), await attempt('shop.find')]).toEqual([denied, 'runs']);
  });
});

describe('a refused tool', () => {
  const readLog = async (): Promise<StoredEntry[]> => {
    const items = await queryPartition(auditPartition(new Date().toISOString().slice(0, 7)));
    return items.flatMap((item) => verifyAuditItem(item) ?? []);
  };
  /** How often the same refusal was repeated in this hour. */
  const countRepeats = async (adminId: string): Promise<number> => {
    const counts = listCountPartitions(new Date().toISOString().slice(0, 13)).map((pk) => queryPartition(pk));
    const own = (await Promise.all(counts))
      .flat()
      .filter(({ sk }) => String(sk).startsWith(`refused#${adminId}#`));
    return own.reduce((sum, { count }) => sum + Number(count), 0);
  };

  test.each(
    channels.flatMap((channel) => ['shop.drop', 'shop.find'].map((name) => [channel, name] as const)),
  )('leaves one entry in the audit log, through %s, of %s', async (channel, name) => {
    const holder = await addHolder();
    const known = new Set((await readLog()).map(({ id }) => id));

    const outcome = await opened.attempt(channel, holder.session, name);

    expect(outcome).toMatch(/^auth\.permission_denied/);
    expect((await readLog()).filter(({ id }) => !known.has(id))).toMatchObject([
      {
        actor: { id: holder.id },
        action: `tool/${name}`,
        outcome: 'refused',
        code: 'auth.permission_denied',
        fields: {},
      },
    ]);
    expect(await countRepeats(holder.id)).toBe(0);
  });
});
