import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { followStream } from '#cli/local/stream/run-listeners.ts';
import { createEngineRequest, enableStream, findStream, openStream } from '#cli/local/stream/table-stream.ts';
import { streamBatchSize } from '#functions/stacks/function-map.ts';
import { setAdminRoles } from '#modules/System/admins/admins.ts';
import { addApiToken } from '#modules/System/admins/api-tokens.ts';
import { addRole } from '#modules/System/roles/roles.ts';
import { basics } from '#modules/System/site/settings.ts';
import { userProfiles } from '#modules/System/users/profile.ts';
import { findApiToken } from '#shared/auth/api-token.ts';
import { userPrincipals } from '#shared/auth/principal.ts';
import { signToken } from '#shared/auth/token.ts';
import { environment } from '#shared/config/environment.ts';
import { dict } from '#shared/dict/reader.ts';
import { streamHandler } from '#shared/http/background.ts';
import { readSiteStatus } from '#shared/settings/site-status.ts';
import { readSettings } from '#shared/settings/store.ts';
import { outcomesOf, randomLetters } from '../../support/database.ts';
import { changeDirectly, deleteDirectly, putDirectly } from '../../support/direct-writes.ts';
import { eventually } from '../../support/eventually.ts';
import { keys } from '../../support/keys.ts';
import { discoverShipped } from '../../support/shipped-modules.ts';
import { ownerOf } from '../../support/token-owner.ts';
import { createContext } from '../../unit/shared/http/fake-request.ts';
import { createAdmin, findCaller, logIn } from './administrator-fixture.ts';
import { createTypeWith } from './dictionary-fixture.ts';

const undo: (() => Promise<void>)[] = [];

/** Runs the listener on the stream of the test's table, which was created without one. */
async function runListener(): Promise<void> {
  const { dynamodbEndpoint = '', tableName } = environment();
  const request = createEngineRequest(dynamodbEndpoint);
  // Enabling the stream is idempotent.
  await enableStream(request, tableName);
  const arn = await findStream(request, tableName);
  await enableStream(request, tableName);
  expect(await findStream(request, tableName)).toBe(arn);
  const stream = await openStream(request, arn ?? '', 'LATEST', streamBatchSize);
  const { listeners } = await discoverShipped();
  const found = listeners.find(({ functionName }) => functionName === 'system-stream-clear-caches');
  if (!found) throw new Error('no listener clears caches');
  const { listener, cached } = found;
  const handler = streamHandler(listener, { name: 'test', cached });
  const deliver = (records: object[]) => handler({ Records: records }, createContext());
  undo.push(followStream({ stream, listener, deliver }));
}

/** Reads twice: a fill is sent with the next request. */
async function warm<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  await ask();
  return ask();
}

/** The stream listener after writes that clear no cache themselves. */
export function describeStream(): void {
  describe('direct writes', () => {
    beforeAll(runListener);
    afterAll(async () => {
      for (const step of undo) await step();
    });

    test('of a dictionary item are read soon', async () => {
      const typeKey = await createTypeWith(['a']);
      const ask = () => dict.map(typeKey);
      expect(await warm(ask)).toEqual({ a: 'a' });

      await changeDirectly(keys.dictItem(typeKey, 'a'), { name: '改' });
      const changed = await eventually(ask, ({ a }) => a === '改');
      await deleteDirectly(keys.dictItem(typeKey, 'a'));
      const deleted = await eventually(ask, ({ a }) => a === undefined);

      expect([changed, deleted]).toEqual([{ a: '改' }, {}]);
    });

    test('of a dictionary type are read soon', async () => {
      const typeKey = await createTypeWith(['a']);
      const ask = () => dict.get(typeKey);
      await warm(ask);

      await changeDirectly(keys.dictType(typeKey), { enabled: false });

      expect(await eventually(ask, (answer) => answer[typeKey]?.length === 0)).toEqual({ [typeKey]: [] });
    });

    test('of many items in transactions are read soon', async () => {
      const [one, two] = [await createTypeWith([]), await createTypeWith(['a'])];
      const ask = async () => Object.values(await dict.get([one, two])).map((options) => options.length);
      expect(await warm(ask)).toEqual([0, 1]);

      const values = Array.from({ length: 60 }, (_, index) => String(index));
      const put = (typeKey: string, value: string) => ({
        ...keys.dictItem(typeKey, value),
        ...{ value, name: value, sort: 0, status: 'enabled' },
      });
      for (const typeKey of [one, two]) await putDirectly(values.map((value) => put(typeKey, value)));

      // Each may lie in a shard of its own, and no order is kept between shards.
      expect(await eventually(ask, (counts) => counts.join() === '60,61')).toEqual([60, 61]);
    });

    test('of a setting are read soon, also by what depends on it', async () => {
      const name = randomLetters();
      const ask = async () => [(await readSettings(basics)).site_name, (await readSiteStatus()).message];
      await warm(ask);

      await changeDirectly(keys.config('basics', 'site_name'), { value: name });
      await changeDirectly(keys.config('basics', 'closed_message'), { value: name });
      const changed = await eventually(ask, (answer) => answer.every((text) => text === name));
      await deleteDirectly(keys.config('basics', 'site_name'));
      await deleteDirectly(keys.config('basics', 'closed_message'));

      expect(changed).toEqual([name, name]);
    });

    test('of an administrator end its sessions soon', async () => {
      const { id, account } = await createAdmin();
      const token = await logIn(account);
      const ask = async () => (await outcomesOf([findCaller(token)]))[0];
      expect(await warm(ask)).toBe('done');

      await changeDirectly(keys.admin(id), { status: 'disabled' });

      expect(await eventually(ask, (outcome) => outcome !== 'done')).toBe('auth.principal_disabled');
    });

    test('of a role change the rights of all who have it soon', async () => {
      const role = await addRole({ name: 'r', grants: ['article:read'] });
      const tokens = await Promise.all(
        [1, 2].map(async () => {
          const { id, account } = await createAdmin();
          await setAdminRoles(id, [role.id], false);
          return logIn(account);
        }),
      );
      const ask = async () =>
        (await Promise.all(tokens.map(findCaller))).map(({ principal }) => principal.grants.join());
      expect(await warm(ask)).toEqual(Array(2).fill('article:read'));

      await changeDirectly({ pk: 'ROLE', sk: role.id }, { grants: ['article:write'] });

      const isChanged = (grants: string[]) => grants.every((each) => each === 'article:write');
      expect(await eventually(ask, isChanged)).toEqual(Array(2).fill('article:write'));
    });

    test('that delete a session end it soon', async () => {
      const { account } = await createAdmin();
      const token = await logIn(account);
      const ask = async () => (await outcomesOf([findCaller(token)]))[0];
      const { session } = await warm(() => findCaller(token));

      await deleteDirectly(keys.session(session.id));

      expect(await eventually(ask, (outcome) => outcome !== 'done')).toBe('auth.token_revoked');
    });

    test('of a user who was not there are read soon', async () => {
      const id = randomLetters();
      const payload = { sessionId: 's', kind: 'user', principalId: id, expiresAt: 4e9 } as const;
      const headers = { authorization: `Bearer ${signToken(payload)}` };
      const ask = async () => {
        const state = await userPrincipals.getOne(id);
        const profile = await userProfiles.readOwn({ event: { headers } });
        return state ? profile?.nickname : undefined;
      };
      expect(await warm(ask)).toBeUndefined();

      const user = { id, sn: '123456789', nickname: '新', avatar: '', created_at: new Date().toISOString() };
      await changeDirectly(keys.user(id), { ...user, status: 'enabled', session_epoch: 1 });

      expect(await eventually(ask, (nickname) => nickname !== undefined)).toBe('新');
    });

    test('that revoke an API token end it soon', async () => {
      const { id: adminId } = await createAdmin();
      const { id } = await addApiToken(await ownerOf(adminId), { name: 'x', scope: 'mcp:read', days: 1 });
      const ask = async () => (await findApiToken({ adminId, id }))?.revoked_at;
      expect(await warm(ask)).toBeUndefined();

      const revoked_at = new Date().toISOString();
      await changeDirectly(keys.apiToken(adminId, id), { revoked_at });

      expect(await eventually(ask, Boolean)).toBe(revoked_at);
    });
  });
}
