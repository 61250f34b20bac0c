import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ulid } from 'ulid';
import { root } from '#cli/project.ts';
import { createConsoleDescription } from '#functions/console/create-description.ts';
import { findPermission } from '#functions/discover/permissions.ts';
import { fittingRequest, listOperations } from '../hostile/generate/requests.ts';
import { readBody } from '../hostile/request.ts';
import { administrator } from '../support/administrator.ts';
import type { Client } from '../support/client.ts';
import { countRefusals, recordOf, recordWork, useFunctions } from '../support/use-functions.ts';

// Changes belong to the record that they are about, refused ones too. The expected names are those that the console
// asks for in the history of a record.

type Json = Record<string, unknown>;

const { functions, admin, addAdmin } = useFunctions();
/** Another administrator with all rights: requests that are not valid are counted by administrator. */
const logInSuper = async (): Promise<Client> => (await addAdmin({ super: true })).client;

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
      const { answer, entries } = await recordOf(admin, each.path, body);
      const { code } = answer;

      expect({ path: each.path, code, targets: entries.map(({ target }) => target) }).toEqual({
        ...{ path: each.path, code, targets: [targetOf(each, body)] },
      });
    }
  });

  test('if a list of records is answered as done, but none of them could be changed', async () => {
    const ids = [ulid(), ulid()];
    const { answer, entries } = await recordOf(admin, '/adminapi/system/file/delete', { ids });
    const { code, data } = answer;

    expect([code, data.deleted, data.failed.length]).toEqual(['ok', 0, 2]);
    expect(entries).toMatchObject([{ outcome: 'refused', code: 'file.not_found', target: `file:${ids[0]}` }]);
  });

  test('if other arguments are wrong', async () => {
    const other = await logInSuper();
    for (const each of listCases()) {
      const body = { ...pickKeys(each, fitBody(each)), unknown: 1 };
      const { entries } = await recordOf(other, each.path, body);

      expect({ path: each.path, entries }).toMatchObject({
        ...{ path: each.path, entries: [{ code: 'request.invalid', target: targetOf(each, body) }] },
      });
    }
  });

  test('if the permission is missing', async () => {
    const { client: caller } = await addAdmin();
    for (const each of listCases().filter(({ isPermitted }) => !isPermitted)) {
      const body = pickKeys(each, fitBody(each));
      const { entries } = await recordOf(caller, each.path, body);

      expect({ path: each.path, entries }).toMatchObject({
        ...{ path: each.path, entries: [{ code: 'auth.permission_denied', target: targetOf(each, body) }] },
      });
    }
  });

  test('only if the arguments that name it fit their schemas', async () => {
    const [{ client: caller }, other] = [await addAdmin(), await logInSuper()];
    for (const each of listCases()) {
      // The first one is an entry, and the others are counted.
      const targets = new Set<string | null>();
      for (const wrong of ['x'.repeat(500), 'line\nbreak', { $ne: null }, null]) {
        const body = Object.fromEntries(each.keys.map((key) => [key, wrong]));
        const refused = await recordOf(other, each.path, body);
        const denied = await recordOf(caller, each.path, body);

        for (const { target } of [...refused.entries, ...denied.entries]) targets.add(target);
      }
      expect({ path: each.path, targets: [...targets] }).toEqual({ path: each.path, targets: [null] });
    }
  });

  test('once for an administrator and a route: the counted refusals name no record', async () => {
    const { id: holder, client: caller } = await addAdmin();
    for (const id of [ulid(), ulid(), ulid()]) {
      await caller.post('/adminapi/article/article/delete', { id });
    }

    const counted = (await countRefusals()).filter(({ actor }) => actor.id === holder);
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
    const add = await recordOf(admin, `${folder}/add`, added);
    const row: Json = { ...added, ...add.answer.data };
    const naming = Object.fromEntries(keys.map((key) => [key, row[key]]));
    const edit = { ...naming, ...change };
    const edited = await recordOf(admin, `${folder}/edit`, { ...edit, version: row.version });
    const stale = await recordOf(admin, `${folder}/edit`, { ...edit, version: row.version });
    const deleted = await recordOf(admin, `${folder}/delete`, naming);
    const gone = await recordOf(admin, `${folder}/delete`, naming);

    expect([add, edited, stale, deleted, gone].map(({ answer }) => answer.code)).toEqual([
      ...['ok', 'ok', 'version_conflict', 'ok', expect.stringMatching(/not_found$/)],
    ]);
    const all = [add, edited, stale, deleted, gone].flatMap(({ entries }) => entries);
    expect(all).toHaveLength(5);
    expect(new Set(all.map(({ target }) => target))).toEqual(new Set([add.entries[0]?.target]));
    expect(add.entries[0]?.target).not.toBeNull();
  });

  test('API tokens, which belong to their administrator', async () => {
    const tokens = '/adminapi/system/admin/token';
    const { id: adminId } = (await admin.get('/adminapi/system/admin/info')).data;
    const made = { name: 'caller', scope: 'mcp:read', days: 1, password: administrator.password };
    const added = await recordOf(admin, `${tokens}/add`, made);
    const revoked = await recordOf(admin, `${tokens}/revoke`, { id: added.answer.data.id });
    const again = await recordOf(admin, `${tokens}/revoke`, { id: added.answer.data.id });

    const all = [added, revoked, again].flatMap(({ entries }) => entries.map(({ target }) => target));
    expect(all).toEqual(Array(3).fill(`api_tokens:${adminId}:${added.answer.data.id}`));
  });
});

describe('a channel of the tools leaves no entry of its own', () => {
  const base = '/adminapi/system/ai/mcp';
  const channels: Record<string, (caller: Client, name: string, args: Json) => Promise<unknown>> = {
    'ai/mcp/call': async (caller, name, args) =>
      (await caller.post(`${base}/call`, { name, arguments: args })).code,
    'ai/mcp/rpc': async (caller, name, args) => {
      const body = { jsonrpc: '2.0', id: ulid(), method: 'tools/call', params: { name, arguments: args } };
      return (await caller.ask(`${base}/rpc`, { body })).json.error?.data?.code ?? 'ok';
    },
  };
  const callBy = (channel: string, caller: Client, name: string, args: Json) =>
    recordWork(async () => channels[channel]?.(caller, name, args));

  test.each(Object.keys(channels))(
    '%s: a call of a tool that writes leaves one, under its permission',
    async (channel) => {
      const { client: caller } = await addAdmin({ grants: ['system/ai/mcp:write'] });
      const other = await logInSuper();
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
          const { answer: code, entries } = await callBy(channel, as, tool.name, args);
          // The second one that is not valid is counted.
          if (codes.has(code)) {
            expect({ code, entries }).toEqual({ code: 'tool.arguments_invalid', entries: [] });
            continue;
          }
          codes.add(code);

          const found = functions.manifest.routes.find(({ route }) => route === tool.route);
          const action = found?.path.replace('/adminapi/', '') ?? `tool/${tool.name}`;
          expect(entries).toHaveLength(1);
          expect(entries).toMatchObject([{ action, outcome: 'refused' }]);
        }
      }
    },
  );

  test.each(Object.keys(channels))(
    '%s: a call of a tool that reads, or of an unknown one, leaves none',
    async (channel) => {
      // A route that says `audit` is recorded though it only reads.
      const reading = functions.manifest.tools.filter(
        ({ tool }) =>
          tool.access === 'read' &&
          !functions.manifest.routes.some(({ route }) => route === tool.route && route.audit),
      );
      for (const name of [...reading.map(({ tool }) => tool.name), 'none.such']) {
        const { entries } = await callBy(channel, admin, name, {});

        expect({ name, entries }).toEqual({ name, entries: [] });
      }
    },
  );

  test('a tool of a route names the record that its arguments name', async () => {
    const id = ulid();
    for (const channel of Object.keys(channels)) {
      const { entries } = await callBy(channel, admin, 'article.set_status', { id, status: 'enabled' });

      expect(entries).toMatchObject([{ code: 'article.not_found', target: `article:${id}` }]);
    }
  });
});
