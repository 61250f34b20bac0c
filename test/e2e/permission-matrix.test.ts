import '../support/environment.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ulid } from 'ulid';
import { root } from '#cli/project.ts';
import { createPermissionTable } from '#functions/discover/permissions.ts';
import { type FoundRoute, listMethods } from '#functions/model.ts';
import { addApiToken } from '#modules/System/admins/api-tokens.ts';
import { mapConcurrently } from '#modules/System/files/manager/delete-files.ts';
import type { ApiTokenScope } from '#shared/auth/api-token.ts';
import { formatPermission, type Permission } from '#shared/auth/permission.ts';
import adminAuth from '#shared/http/gates/admin-auth.ts';
import { type Audience, audienceOf } from '../hostile/authorisation/rules.ts';
import { fittingRequest, listOperations } from '../hostile/generate/requests.ts';
import { readBody } from '../hostile/request.ts';
import type { FunctionRequest } from '../support/function-event.ts';
import { isCoveredByModel } from '../support/permission-model.ts';
import { createRoleHolder, type RoleHolder } from '../support/role-holder.ts';
import { ownerOf } from '../support/token-owner.ts';
import { useFunctions } from '../support/use-functions.ts';

const { functions } = useFunctions({ login: false });

/** One way to ask one route, with what its file declares. */
interface Ask {
  found: FoundRoute;
  method: string;
  name: string;
  /** What it requires, read from its path and options: the rule itself is not asked. */
  permission: Permission & { folder: string; area: string };
}

const listAsks = (): Ask[] =>
  functions.manifest.routes.flatMap((found) => {
    const { path: url, route } = found;
    const path = url.replace('/adminapi/', '');
    const kind = route.method === 'POST' && route.right !== 'read' ? 'write' : 'read';
    const folder = path.slice(0, path.lastIndexOf('/'));
    const area = path.slice(0, path.indexOf('/'));
    const permission = { path, kind, folder, area, sensitive: route.sensitive ?? false } as const;
    return listMethods(found).map((method) => ({ found, method, name: `${method} ${url}`, permission }));
  });

/** A request that no handler takes: its body is refused after the gates. */
const createInvalid = ({ found, method }: Ask): FunctionRequest => ({
  method,
  path: found.path.replace(/\{\w+\+\}/, 'uploads/file/none.txt'),
  query: 'limit=x&type=%',
  ...(method === 'POST' && { headers: { 'content-type': 'application/json' }, body: '{"broken' }),
});

/** A request that the handler takes, for a route whose handler asks for the permission. */
function createValid({ found, method }: Ask): FunctionRequest {
  const document = JSON.parse(readFileSync(join(root, '.build', 'openapi', 'en.json'), 'utf8'));
  const operation = listOperations(document).find((each) => each.path === found.path);
  const [request] = operation ? fc.sample(fittingRequest(operation), { numRuns: 1, seed: 1 }) : [];
  if (!request) throw new Error(`${found.path} is not in the document`);
  // It names what does not exist.
  const body = readBody(request, (text) => text.replaceAll(/~\w+\.\d+~/g, ulid()));
  // What is one's own needs no permission.
  const isOfOthers = 'owner_id' in Object(Object(found.route.body).shape);
  return {
    ...{ method, path: found.path, query: request.query, headers: request.headers },
    body: isOfOthers ? JSON.stringify({ ...JSON.parse(String(body)), owner_id: ulid() }) : body,
  };
}

const passes = 'passes';
const denied = ({ path, kind }: Permission) => `403 auth.permission_denied ${path}:${kind}`;

/** More would wait too long for the stores on a busy machine. */
const atOnce = 8;

/** Whether an answer refuses who asks, and how. */
async function judge(ask: Ask, authorization: string | undefined): Promise<string> {
  const request = ask.found.route.right === 'handler' ? createValid(ask) : createInvalid(ask);
  const headers = { ...request.headers, ...(authorization && { authorization }) };
  const { status, body } = await functions.call({ ...request, headers });
  if (status !== 401 && status !== 403) return passes;
  const { code, errors } = JSON.parse(body.toString());
  return [status, code, ...(errors ? [errors[0].path] : [])].join(' ');
}

/** What a caller without an administrator's login gets. */
type Refusals = Record<Exclude<Audience, 'open' | 'guest'>, string>;
const administrator: Refusals = { admin: passes, user: '401 auth.principal_mismatch', mcp: passes };
const refused = (reason: string, others: Partial<Refusals> = {}): Refusals => ({
  ...{ admin: reason, user: reason, mcp: reason },
  ...others,
});

interface Caller {
  /** The administrator of a route, once for each different list of grants. */
  create(permission: Ask['permission']): Promise<RoleHolder>;
  /** Whether it has the permission. */
  isPermitted(permission: Ask['permission']): boolean;
  /** @default those of an administrator */
  refusals?: Refusals;
  /** Whether the routes with `right: 'login'` take it. @default true */
  takesLogins?: boolean;
  /** The answer to a request without the permission. */
  denied?(permission: Ask['permission']): string;
}

const holders = new Map<string, Promise<RoleHolder>>();
function holderOf(...grants: string[]): Promise<RoleHolder> {
  const key = grants.join();
  const known = holders.get(key) ?? createRoleHolder(grants);
  holders.set(key, known);
  return known;
}
const once = <Value>(create: () => Promise<Value>) => {
  let created: Promise<Value> | undefined;
  return () => {
    created ??= create();
    return created;
  };
};

const createSuper = once(() => createRoleHolder([], { isSuper: true }));
const createDisabled = once(() => createRoleHolder([], { isSuper: true, isDisabled: true }));
/** A super administrator who sends an API token. */
async function tokenHolder(scope: ApiTokenScope, grants?: string[]): Promise<RoleHolder> {
  const holder = await createRoleHolder([], { isSuper: true });
  const { token } = await addApiToken(await ownerOf(holder.id), {
    ...{ name: 'caller', scope, days: 1 },
    ...(grants && { grants }),
  });
  return { ...holder, logIn: async () => `Bearer ${token}` };
}
const outsideOfScope = '403 auth.scope_insufficient';
const ofAdminApi: Partial<Caller> = {
  refusals: { admin: passes, user: outsideOfScope, mcp: outsideOfScope },
  takesLogins: false,
};
const guest: RoleHolder = { id: '', logIn: async () => '', deleteRole: async () => undefined };

const [yes, no] = [() => true, () => false];
const isRead = ({ kind }: Permission) => kind === 'read';
/** Whether a prefix is the direct folder of a sensitive permission, or it is not sensitive. */
const reaches = (prefix: string, { sensitive, folder }: Ask['permission']) => !sensitive || folder === prefix;
const parentOf = (folder: string) => folder.split('/').slice(0, -1).join('/') || 'none';

const callers: Record<string, Caller> = {
  'no token': { create: async () => guest, isPermitted: no, refusals: refused('401 auth.token_missing') },
  'no grant': { create: () => holderOf(), isPermitted: no },
  'the grant to read it': { create: ({ path }) => holderOf(`${path}:read`), isPermitted: isRead },
  'the grant to write it': { create: ({ path }) => holderOf(`${path}:write`), isPermitted: yes },
  'the grant to read its folder': { create: ({ folder }) => holderOf(`${folder}:read`), isPermitted: isRead },
  'the grant to write its folder': { create: ({ folder }) => holderOf(`${folder}:write`), isPermitted: yes },
  'the grant to write the folder above': {
    create: ({ folder }) => holderOf(`${parentOf(folder)}:write`),
    isPermitted: (each) => each.folder.includes('/') && reaches(parentOf(each.folder), each),
  },
  'the grant to write its module': {
    create: ({ area }) => holderOf(`${area}:write`),
    isPermitted: (each) => reaches(each.area, each),
  },
  "its siblings' grants": {
    create: ({ folder, path }) =>
      holderOf(
        ...listAsks().flatMap(({ permission }) =>
          permission.folder === folder && permission.path !== path ? [`${permission.path}:write`] : [],
        ),
        ...[`${path}s:write`, `${path.slice(0, -1)}:write`, `${path}/more:write`],
      ),
    isPermitted: no,
  },
  'no roles, but super': { create: createSuper, isPermitted: yes },
  'super, but disabled': {
    create: createDisabled,
    isPermitted: no,
    refusals: refused('401 auth.principal_disabled', { user: administrator.user }),
  },
  'an API token for all': {
    create: once(() => tokenHolder('mcp:write')),
    isPermitted: no,
    refusals: refused(outsideOfScope, { mcp: passes }),
  },
  'an API token of the admin API': {
    ...ofAdminApi,
    create: once(() => tokenHolder('api:write')),
    isPermitted: yes,
  },
  'an API token of the admin API that reads': {
    ...ofAdminApi,
    create: once(() => tokenHolder('api:read')),
    isPermitted: isRead,
    denied: () => outsideOfScope,
  },
  'an API token of the admin API with the grant to read its folder': {
    ...ofAdminApi,
    create: ({ folder }) => tokenHolder('api:write', [`${folder}:read`]),
    isPermitted: isRead,
  },
};

function expectation({ found, permission }: Ask, caller: Caller): string {
  const { isPermitted, refusals = administrator, takesLogins = true, denied: deny = denied } = caller;
  const audience = audienceOf(found);
  if (audience === 'open' || audience === 'guest') return passes;
  if (audience !== 'admin' || refusals.admin !== passes) return refusals[audience];
  if (found.route.right === 'login') return takesLogins ? passes : outsideOfScope;
  if (!isPermitted(permission)) return deny(permission);
  return found.route.recentFactor && !takesLogins ? outsideOfScope : passes;
}

describe('every route', () => {
  test.each(Object.keys(callers))(
    'answers a caller with %s as the rules say, before it reads a body',
    async (name) => {
      const caller = callers[name];
      if (!caller) throw new Error(name);
      const asks = listAsks();
      const found = await mapConcurrently(asks, atOnce, async (ask) => {
        const holder = await caller.create(ask.permission);
        // A new login for each: the route may end it.
        return [ask.name, await judge(ask, await holder.logIn())] as const;
      });

      const expected = asks.map((ask) => [ask.name, expectation(ask, caller)]);
      expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
      expect(asks.length).toBeGreaterThan(80);
    },
  );

  test('is refused at once to a caller whose role was deleted', async () => {
    const asks = listAsks().filter(
      ({ found }) => audienceOf(found) === 'admin' && found.route.right !== 'login',
    );
    const found = await mapConcurrently(asks, atOnce, async (ask) => {
      const holder = await createRoleHolder([`${ask.permission.path}:write`]);
      const authorization = await holder.logIn();
      const before = await judge(ask, authorization);
      await holder.deleteRole();
      return [ask.name, before, await judge(ask, authorization)];
    });

    expect(found).toEqual(asks.map(({ name, permission }) => [name, passes, denied(permission)]));
    expect(asks.length).toBeGreaterThan(45);
  });
});

describe('the gate', () => {
  /** Asks the gate itself, for what no route declares yet. */
  async function isLetIn(permission: Permission, authorization: string): Promise<boolean> {
    const context: unknown = { event: { headers: { authorization } }, caller: {} };
    const pass = adminAuth(permission);
    try {
      await pass(context as Parameters<typeof pass>[0]);
      return true;
    } catch (error) {
      expect(error).toMatchObject({ status: 403, errors: [{ path: formatPermission(permission) }] });
      return false;
    }
  }

  test('refuses a forged API token at once, before anything is read', () => {
    const context: unknown = { event: { headers: { authorization: 'Bearer mcp_forged' } } };
    const pass = adminAuth({ path: 'system/overview/detail', kind: 'read' });

    expect(() => pass(context as Parameters<typeof pass>[0])).toThrow(
      expect.objectContaining({ code: 'auth.token_invalid' }),
    );
  });

  test('lets in whom a model lets in, for random grants of the table of permissions', async () => {
    const { permissions } = createPermissionTable(functions.manifest);
    const paths = permissions.map(({ path }) => path);
    const prefixes = paths.flatMap((path) => {
      const segments = path.split('/');
      return segments.map((_, at) => segments.slice(0, at + 1).join('/'));
    });
    const kind = fc.constantFrom('read', 'write');
    const grant = fc
      .tuple(fc.constantFrom(...prefixes, 'system/set', 'sys'), kind)
      .map((each) => each.join(':'));
    const permission = fc
      .tuple(fc.constantFrom(...permissions), fc.array(fc.constantFrom(...paths), { maxLength: 1 }))
      .map(([each, formerly]): Permission => ({ ...each, formerly }));
    const grants = fc.uniqueArray(grant, { maxLength: 6 });
    const outcomes = { true: 0, false: 0 };

    await fc.assert(
      fc.asyncProperty(
        grants,
        fc.array(permission, { minLength: 40, maxLength: 40 }),
        async (held, wanted) => {
          const authorization = await (await createRoleHolder(held)).logIn();
          for (const each of wanted) {
            const isCovered = await isLetIn(each, authorization);
            outcomes[`${isCovered}`] += 1;
            const name = formatPermission(each);
            expect([name, isCovered]).toEqual([name, isCoveredByModel(held, each)]);
          }
        },
      ),
      { numRuns: 60 },
    );

    expect(Math.min(outcomes.true, outcomes.false)).toBeGreaterThan(100);
  });
});
