import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { createKit, type UserCaller } from '../round-trips/kit.ts';
import type { TestAdmin } from '../support/access.ts';
import type { Client } from '../support/client.ts';
import { stopClock } from '../support/fake-time.ts';
import { recordWork, useFunctions } from '../support/use-functions.ts';

// Logins that are listed and ended one by one. The clock moves when the test says so.

const { functions, admin, client, addAdmin, logInAgain } = useFunctions({
  environment: { THROTTLE_FACTOR: '1000' },
});
const adminPath = '/adminapi/system/admin/session';
const userPath = '/api/user-center/session';
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const safari =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1';
const minuteMs = 60_000;
const ok = { status: 200, code: 'ok' };

beforeAll(stopClock);
afterAll(() => void jest.useRealTimers());
const pass = (ms: number) => jest.setSystemTime(Date.now() + ms);
const now = () => new Date(Math.floor(Date.now() / 1000) * 1000).toISOString();

async function logInFrom({ account, password }: TestAdmin, userAgent: string): Promise<Client> {
  const headers = { 'user-agent': userAgent };
  const { data } = await client.post('/adminapi/system/login/account', { account, password }, { headers });
  return client.as(data.token);
}

const list = async (as: Client, path = adminPath) => (await as.get(`${path}/list`)).data.list;

describe('the sessions of an administrator', () => {
  test('are listed with device, address and times, newest first', async () => {
    const person = await addAdmin();
    pass(minuteMs);
    const since = now();
    const own = await logInFrom(person, firefox);

    const [newest, first, ...more] = await list(own);

    expect(newest).toMatchObject({ device: 'Firefox, Linux', address: '203.0.113.7', since, current: true });
    expect(first).toMatchObject({ device: '', current: false });
    expect(more).toEqual([]);
  });

  test('end one by one, and the others stay', async () => {
    const person = await addAdmin();
    const [one, other] = [await logInFrom(person, firefox), await logInFrom(person, safari)];
    const shown = await list(other);
    const { id } = shown.find(({ device }: { device: string }) => device === 'Firefox, Linux');

    expect(await other.post(`${adminPath}/revoke`, { id })).toMatchObject(ok);
    expect(await other.post(`${adminPath}/revoke`, { id })).toMatchObject(ok);

    expect(await one.get(`${adminPath}/list`)).toMatchObject({ status: 401, code: 'auth.token_revoked' });
    expect((await list(other)).map((each: { id: string }) => each.id)).not.toContain(id);
  });

  test('are those of others only with the permission, and with all their rights', async () => {
    const [person, reader, stranger] = [
      await addAdmin({ super: true }),
      await addAdmin({ grants: ['system/admin/session:write'] }),
      await addAdmin(),
    ];
    const [{ id }] = await list(person.client);
    const read = (as: Client) => as.get(`${adminPath}/list?owner_id=${person.id}`);
    const end = (as: Client, owner_id?: string) => as.post(`${adminPath}/revoke`, { id, owner_id });

    expect(await read(stranger.client)).toMatchObject({ status: 403, code: 'auth.permission_denied' });
    const denied = { status: 403, code: 'auth.permission_denied' };
    expect(await end(stranger.client, person.id)).toMatchObject(denied);
    expect(await read(reader.client)).toMatchObject({ status: 403, code: 'role.exceeds' });
    expect(await end(reader.client, person.id)).toMatchObject({ status: 403, code: 'role.exceeds' });
    // As if it were an own one.
    expect(await end(stranger.client)).toMatchObject(ok);
    expect(await list(person.client)).toHaveLength(1);
    expect((await read(admin)).data.list).toMatchObject([{ id, current: false }]);
    expect(await end(admin, person.id)).toMatchObject(ok);
    expect(await person.client.get(`${adminPath}/list`)).toMatchObject({ status: 401 });
  });

  test('leave the list when they are over: by a new password, and after eight idle hours', async () => {
    const person = await addAdmin();
    await logInFrom(person, firefox);
    await admin.post('/adminapi/system/admin/password', { id: person.id, password: person.password });
    const own = await logInFrom(person, safari);
    expect(await list(own)).toMatchObject([{ device: 'Safari, iOS' }]);

    pass(9 * 60 * minuteMs);
    await logInAgain();
    expect(await list(await logInFrom(person, firefox))).toMatchObject([{ device: 'Firefox, Linux' }]);
  });

  test('say when they were seen, to the quarter of an hour', async () => {
    const person = await addAdmin();
    const quarter = 15 * minuteMs;
    jest.setSystemTime(Math.ceil(Date.now() / quarter) * quarter + minuteMs);
    const own = await logInFrom(person, firefox);
    const seen = async () => (await list(own))[0].last_seen_at;
    const begin = now();

    expect(await seen()).toBe(begin);
    pass(14 * minuteMs);
    expect(await seen()).toBe(begin);
    pass(minuteMs);
    await seen();
    expect(await seen()).toBe(new Date(Date.now() - minuteMs).toISOString());
  });
});

describe('a login from a device', () => {
  test('says in the audit log whether the device is new', async () => {
    const person = await addAdmin();
    const { entries } = await recordWork(async () => {
      for (const userAgent of [firefox, firefox, safari, firefox]) {
        pass(1000);
        await logInFrom(person, userAgent);
      }
    });

    expect(entries.map(({ fields }) => fields.session)).toEqual([
      { device: 'Firefox, Linux', new_device: true },
      { device: 'Firefox, Linux', new_device: false },
      { device: 'Safari, iOS', new_device: true },
      { device: 'Firefox, Linux', new_device: false },
    ]);
  });
});

test('the first login of an administrator is from no new device', async () => {
  const person = { account: 'first_login', password: 'correct horse battery' };
  await admin.post('/adminapi/system/admin/add', { ...person, name: 'First' });
  const { entries } = await recordWork(async () => {
    for (const userAgent of [firefox, safari]) {
      pass(1000);
      const headers = { 'user-agent': userAgent };
      await client.post('/adminapi/system/login/account', person, { headers });
    }
  });

  expect(entries.map(({ fields }) => fields.session)).toEqual([
    { device: 'Firefox, Linux', new_device: false },
    { device: 'Safari, iOS', new_device: true },
  ]);
});

describe('the sessions of a user', () => {
  let user: UserCaller;
  let stop = async () => {};
  beforeAll(async () => {
    ({ user, stop } = await createKit(functions));
  });
  afterAll(() => stop());
  const as = () => client.as(String(user.get('').headers?.authorization?.replace('Bearer ', '')));

  test('are listed and ended, and no others', async () => {
    const [{ id, current }] = await list(as(), userPath);
    const [{ id: ofAdmin }] = await list(admin);

    expect(current).toBe(true);
    expect(await as().post(`${userPath}/revoke`, { id: ofAdmin })).toMatchObject(ok);
    expect(await admin.get(`${adminPath}/list`)).toMatchObject(ok);
    expect(await as().post(`${userPath}/revoke`, { id })).toMatchObject(ok);
    expect(await as().get(`${userPath}/list`)).toMatchObject({ status: 401, code: 'auth.token_revoked' });
  });
});
