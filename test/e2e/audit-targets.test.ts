import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ulid } from 'ulid';
import { root } from '#cli/project.ts';
import { createConsoleDescription } from '#functions/console/create-description.ts';
import { findPermission } from '#functions/discover/permissions.ts';
import { closeHour } from '#modules/System/audit/counts.ts';
import type { StoredEntry } from '#shared/audit/entry.ts';
import { auditPartition } from '#shared/audit/new-entry.ts';
import { verifyAuditItem } from '#shared/audit/stored-entries.ts';
import { queryPartition } from '#shared/db/items.ts';
import { fittingRequest, listOperations } from '../hostile/generate/requests.ts';
import { readBody } from '../hostile/request.ts';
import { type Functions, functionsAdministrator, startFunctions } from '../support/functions.ts';
import { createRoleHolder } from '../support/role-holder.ts';

// Changes belong to the record that they are about, refused ones too. The expected names are those that the console
// asks for in the history of a record.

type Json = Record<string, unknown>;

let functions: Functions;
let authorization = '';
let adminId = '';

beforeAll(async () => {
  functions = await startFunctions();
  const { data } = await post('/adminapi/system/login/account', functionsAdministrator);
  const { token, admin } = Object(data);
  authorization = `Bearer ${token}`;
  adminId = String(admin.id);
}, 120_000);

afterAll(() => functions?.stop());

async function post(path: string, body: unknown, caller = authorization): Promise<Json> {
  const answer = await functions.call({
    ...{ method: 'POST', path, body: JSON.stringify(body) },
    headers: { 'content-type': 'application/json', ...(caller && { authorization: caller }) },
  });
  return JSON.parse(answer.body.toString());
}

async function readLog(): Promise<StoredEntry[]> {
  const items = await queryPartition(auditPartition(new Date().toISOString().slice(0, 7)));
  return items.flatMap((item) => verifyAuditItem(item) ?? []);
}

/** Another administrator with all rights: requests that are not valid are counted by administrator. */
async function logInSuper(): Promise<string> {
  const account = { account: `super${ulid().slice(-8).toLowerCase()}`, password: 'correct horse battery' };
  const added = await post('/adminapi/system/admin/add', { ...account, name: 'Another' });
  const { id } = Object(added.data);
  await post('/adminapi/system/admin/roles', { id, role_ids: [], super: true });
  const { data } = await post('/adminapi/system/login/account', account);
  return `Bearer ${Object(data).token}`;
}

/** The code of an answer, and the entries that the request left. */
async function recordOf(path: string, body: unknown, caller?: string) {
  const { code, data, request_id } = await post(path, body, caller);
  const entries = (await readLog()).filter((entry) => entry.request_id === request_id);
  return { code, data: Object(data), entries };
}

/** An action of a page that shows the history of its records. */
interface Case {
  path: string;
  /** Arguments that name the record. */
  keys: readonly string[];
  records: string;
  isPermitted: boolean;
}

const listCases = (): Case[] =>
  createConsoleDescription(functions.manifest).pages.flatMap(({ records, actions }) =>
    actions.flatMap(({ path, method, takes, keys }): Case[] => {
      const found = functions.manifest.routes.find((each) => each.path === path);
      if (records === undefined || method !== 'POST' || takes === 'none' || !found) return [];
      const permission = findPermission(found);
      const isPermitted = typeof permission !== 'object' || found.route.right === 'handler';
      return [{ path, keys: takes === 'ids' ? ['ids'] : keys, records, isPermitted }];
    }),
  );

/** A body that fits the route and names what does not exist. */
function fitBody({ path, keys }: Case): Json {
  const document = JSON.parse(readFileSync(join(root, '.build', 'openapi', 'en.json'), 'utf8'));
  const operation = listOperations(document).find((each) => each.path === path);
  const [request] = operation ? fc.sample(fittingRequest(operation), { numRuns: 1, seed: 1 }) : [];
  if (!request) throw new Error(`${path} is not in the document`);
  const text = readBody(request, (given) =>
    given.replaceAll(/~(\w+)\.\d+~/g, (_all, kind) => (kind === 'dict' ? 'no_such_type' : ulid())),
  );
  return { ...JSON.parse(String(text)), ...(keys.includes('ids') && { ids: [ulid(), ulid()] }) };
}

const targetOf = ({ records, keys }: Case, body: Json): string =>
  [records, ...keys.map((key) => [body[key]].flat()[0])].join(':');

/** Only what names the record. */
const pickKeys = ({ keys }: Case, body: Json): Json =>
  Object.fromEntries(keys.map((key) => [key, body[key]]));

describe('a refused change stands in the history of its record', () => {
  test('if the record does not exist', async () => {
    const cases = listCases();
    expect(cases.length).toBeGreaterThan(15);
    for (const each of cases) {
      const body = fitBody(each);
      const { code, entries } = await recordOf(each.path, body);

      expect({ path: each.path, code, targets: entries.map(({ target }) => target) }).toEqual({
        ...{ path: each.path, code, targets: [targetOf(each, body)] },
      });
    }
  }, 60_000);

  test('if a list of records is answered as done, but none of them could be changed', async () => {
    const ids = [ulid(), ulid()];
    const { code, data, entries } = await recordOf('/adminapi/system/file/delete', { ids });

    expect([code, data.deleted, data.failed.length]).toEqual(['ok', 0, 2]);
    expect(entries).toMatchObject([{ outcome: 'refused', code: 'file.not_found', target: `file:${ids[0]}` }]);
  });

  test('if other arguments are wrong', async () => {
    const other = await logInSuper();
    for (const each of listCases()) {
      const body = { ...pickKeys(each, fitBody(each)), unknown: 1 };
      const { entries } = await recordOf(each.path, body, other);

      expect({ path: each.path, entries }).toMatchObject({
        ...{ path: each.path, entries: [{ code: 'request.invalid', target: targetOf(each, body) }] },
      });
    }
  }, 60_000);

  test('if the permission is missing', async () => {
    const holder = await createRoleHolder([]);
    const caller = await holder.logIn();
    for (const each of listCases().filter(({ isPermitted }) => !isPermitted)) {
      const body = pickKeys(each, fitBody(each));
      const { entries } = await recordOf(each.path, body, caller);

      expect({ path: each.path, entries }).toMatchObject({
        ...{ path: each.path, entries: [{ code: 'auth.permission_denied', target: targetOf(each, body) }] },
      });
    }
  }, 60_000);

  test('only if the arguments that name it fit their schemas', async () => {
    const holder = await createRoleHolder([]);
    const [caller, other] = [await holder.logIn(), await logInSuper()];
    for (const each of listCases()) {
      // The first one is an entry, and the others are counted.
      const targets = new Set<string | null>();
      for (const wrong of ['x'.repeat(500), 'line\nbreak', { $ne: null }, null]) {
        const body = Object.fromEntries(each.keys.map((key) => [key, wrong]));
        const refused = await recordOf(each.path, body, other);
        const denied = await recordOf(each.path, body, caller);

        for (const { target } of [...refused.entries, ...denied.entries]) targets.add(target);
      }
      expect({ path: each.path, targets: [...targets] }).toEqual({ path: each.path, targets: [null] });
    }
  }, 120_000);

  test('once for an administrator and a route: the counted refusals name no record', async () => {
    const holder = await createRoleHolder([]);
    const caller = await holder.logIn();
    for (const id of [ulid(), ulid(), ulid()]) {
      await post('/adminapi/article/article/delete', { id }, caller);
    }
    await closeHour(new Date().toISOString().slice(0, 13), Date.now());

    const counted = (await readLog()).filter(({ actor, count }) => actor.id === holder.id && count);
    expect(counted).toMatchObject([{ count: 2, target: null, code: 'auth.permission_denied' }]);
  });
});

describe('refused and successful changes of one record have one target', () => {
  const articles = '/adminapi/article/article';
  const article = { title: 'A', category: 'news', content: '<p>a</p>', summary: '', status: 'enabled' };

  test.each([
    [articles, article, ['id'], { title: 'B' }],
    ['/adminapi/system/role', { name: 'Watcher', grants: [] }, ['id'], { name: 'Reader' }],
    [
      '/adminapi/system/setting/dict/type',
      { type_key: 'colour', name: 'C', enabled: true },
      ['type_key'],
      { name: 'D' },
    ],
    [
      '/adminapi/system/setting/dict/data',
      { type_key: 'article_category', value: 'other', name: 'Other' },
      ['type_key', 'value'],
      { name: 'Another' },
    ],
  ])('%s', async (folder, added, keys, change) => {
    const add = await recordOf(`${folder}/add`, added);
    const row: Json = { ...added, ...add.data };
    const naming = Object.fromEntries(keys.map((key) => [key, row[key]]));
    const edit = { ...naming, ...change };
    const edited = await recordOf(`${folder}/edit`, { ...edit, version: row.version });
    const stale = await recordOf(`${folder}/edit`, { ...edit, version: row.version });
    const deleted = await recordOf(`${folder}/delete`, naming);
    const gone = await recordOf(`${folder}/delete`, naming);

    expect([add, edited, stale, deleted, gone].map(({ code }) => code)).toEqual([
      ...['ok', 'ok', 'version_conflict', 'ok', expect.stringMatching(/not_found$/)],
    ]);
    const all = [add, edited, stale, deleted, gone].flatMap(({ entries }) => entries);
    expect(all).toHaveLength(5);
    expect(new Set(all.map(({ target }) => target))).toEqual(new Set([add.entries[0]?.target]));
    expect(add.entries[0]?.target).not.toBeNull();
  });

  test('API tokens, which belong to their administrator', async () => {
    const tokens = '/adminapi/system/admin/token';
    const { password } = functionsAdministrator;
    const added = await recordOf(`${tokens}/add`, { name: 'caller', scope: 'mcp:read', days: 1, password });
    const revoked = await recordOf(`${tokens}/revoke`, { id: added.data.id });
    const again = await recordOf(`${tokens}/revoke`, { id: added.data.id });

    const all = [added, revoked, again].flatMap(({ entries }) => entries.map(({ target }) => target));
    expect(all).toEqual(Array(3).fill(`api_tokens:${adminId}:${added.data.id}`));
  });
});

describe('a door to the tools leaves no entry of its own', () => {
  const doors: Record<string, (name: string, args: Json, caller?: string) => ReturnType<typeof recordOf>> = {
    'ai/mcp/call': (name, args, caller) =>
      recordOf('/adminapi/system/ai/mcp/call', { name, arguments: args }, caller),
    'ai/mcp/rpc': async (name, args, caller) => {
      const id = ulid();
      const answer = await functions.call({
        ...{ method: 'POST', path: '/adminapi/system/ai/mcp/rpc' },
        headers: { 'content-type': 'application/json', authorization: caller ?? authorization },
        body: JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } }),
      });
      const { result, error } = JSON.parse(answer.body.toString());
      const entries = (await readLog()).filter((entry) => !known.has(entry.id));
      return { code: error?.data?.code ?? 'ok', data: Object(result), entries };
    },
  };
  let known = new Set<string>();
  const remember = async () => {
    known = new Set((await readLog()).map(({ id }) => id));
  };

  test.each(Object.keys(doors))(
    '%s: a call of a tool that writes leaves one, under its permission',
    async (door) => {
      const call = doors[door];
      const holder = await createRoleHolder(['system/ai/mcp:write']);
      const [caller, other] = [await holder.logIn(), await logInSuper()];
      const writing = functions.manifest.tools.filter(({ tool }) => tool.access === 'write');
      expect(writing.length).toBeGreaterThan(0);
      for (const { tool } of writing) {
        const id = ulid();
        const codes = new Set<unknown>();
        for (const [args, as] of [
          [{ id, unknown: 1 }, other],
          // A tool of another module may accept it.
          [{ id, version: 1, status: 'enabled' }, other],
          [{ id }, caller],
        ] as const) {
          await remember();
          const { code, entries } = (await call?.(tool.name, args, as)) ?? {};
          // The second one that is not valid is counted.
          if (codes.has(code)) {
            expect({ code, entries }).toEqual({ code: 'tool.arguments_invalid', entries: [] });
            continue;
          }
          codes.add(code);

          const found = functions.manifest.routes.find(({ route }) => route === tool.route);
          const action = found?.path.replace('/adminapi/', '') ?? `tool/${tool.name}`;
          expect(entries).toHaveLength(1);
          const isRefused = 'unknown' in args || as !== undefined;
          expect(entries).toMatchObject([{ action, ...(isRefused && { outcome: 'refused' }) }]);
        }
      }
    },
    60_000,
  );

  test.each(Object.keys(doors))(
    '%s: a call of a tool that reads, or of an unknown one, leaves none',
    async (door) => {
      const call = doors[door];
      // A route that says `audit` is recorded though it only reads.
      const reading = functions.manifest.tools.filter(
        ({ tool }) =>
          tool.access === 'read' &&
          !functions.manifest.routes.some(({ route }) => route === tool.route && route.audit),
      );
      for (const name of [...reading.map(({ tool }) => tool.name), 'none.such']) {
        await remember();
        const { entries } = (await call?.(name, {})) ?? {};

        expect({ name, entries }).toEqual({ name, entries: [] });
      }
    },
    60_000,
  );

  test('a tool of a route names the record that its arguments name', async () => {
    const id = ulid();
    for (const door of Object.values(doors)) {
      await remember();
      const { entries } = await door('article.set_status', { id, status: 'enabled' });

      expect(entries).toMatchObject([{ code: 'article.not_found', target: `article:${id}` }]);
    }
  });
});
