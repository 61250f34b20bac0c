import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { outcome } from '../support/answers.ts';
import type { Answer, Client } from '../support/client.ts';
import { stopClock } from '../support/fake-time.ts';
import { type Authenticator, type Claims, createAuthenticator } from '../support/software-authenticator.ts';
import { readLog, recordWork, useFunctions } from '../support/use-functions.ts';
import { createKeyring } from './passkey-fixture.ts';
import { createGuard, factorPath, loginBase } from './second-factor-fixture.ts';

// Passkeys are added, used by who is logged in, and removed. The clock moves when the test says so.

const access = useFunctions({ environment: { THROTTLE_FACTOR: '1000' } });
const { admin, addAdmin, logIn } = access;
const { setMode } = createGuard(access);
const { add, addKeyed, begin, open, prove, second } = createKeyring(access);

beforeAll(async () => {
  stopClock();
  await setMode('optional');
});
afterAll(() => void jest.useRealTimers());

const pass = (ms: number) => jest.setSystemTime(Date.now() + ms);
const ok = { status: 200, code: 'ok' };
const unaccepted = { status: 422, errors: [{ path: 'body.passkey' }] };
const atSetUp = { status: 422, errors: [{ path: 'body.setup' }] };
const needsFactor = { status: 403, code: 'auth.factor_required' };

const confirm = (as: Client, setup: string, passkey: unknown, name?: string) =>
  as.post(`${factorPath}/confirm`, { setup, passkey, name });
const detail = async (as: Client) => (await as.get(`${factorPath}/detail`)).data;

describe('a passkey is added', () => {
  test('with the password, by options for this site, under a name', async () => {
    const { client: own, password, id, account } = await addAdmin();
    const key = createAuthenticator();

    expect(await begin(own, 'wrong')).toMatchObject({ status: 422, errors: [{ path: 'body.password' }] });
    const { data } = await begin(own, password);
    const answer = await confirm(own, data.setup, key.create(data.passkey), ' Laptop ');

    expect(data.passkey).toMatchObject({
      rp: { id: 'localhost' },
      user: { id: Buffer.from(id).toString('base64url'), name: account },
      attestation: 'none',
      excludeCredentials: [],
      authenticatorSelection: { userVerification: 'required' },
    });
    expect(answer.data.codes).toHaveLength(10);
    expect(await detail(own)).toMatchObject({
      since: null,
      codes_left: 10,
      passkeys: [{ id: key.id, name: 'Laptop', last_used_at: null }],
    });
  });

  test.each<[string, Claims]>([
    ['of another origin', { origin: 'https://elsewhere.example' }],
    ['for another RP ID', { rpId: 'elsewhere.example' }],
    ['for another challenge', { challenge: 'a'.repeat(43) }],
    ['of a login', { type: 'webauthn.get' }],
    ['without a person', { isPresent: false }],
    ['without a verified person', { isVerified: false }],
    ['with an attestation that was not asked for', { format: 'tpm' }],
  ])('not by an answer %s', async (_title, claims) => {
    const { client: own, password } = await addAdmin();
    const { data } = await begin(own, password);

    const answer = await confirm(own, data.setup, createAuthenticator().create(data.passkey, claims));
    expect(answer).toMatchObject(unaccepted);
    expect(await detail(own)).toMatchObject({ passkeys: [], codes_left: 0 });
  });

  test('once: neither the same credential, nor another one by the same set-up', async () => {
    const { client: own, password, key } = await addKeyed();
    pass(1000);
    const { data } = await begin(own, password, await prove(own, key));
    const other = createAuthenticator();

    expect(data.passkey.excludeCredentials).toMatchObject([{ id: key.id }]);
    const confirmWith = (made: Authenticator) => confirm(own, data.setup, made.create(data.passkey));
    expect(outcome(await confirmWith(key))).toBe('409 passkey.exists');
    expect(await confirmWith(other)).toMatchObject(ok);
    expect(await confirmWith(createAuthenticator())).toMatchObject(atSetUp);
  });

  test('only by the set-up of the same administrator, of this kind, within a quarter of an hour', async () => {
    const [one, other] = [await addAdmin(), await addAdmin()];
    const { data } = await begin(one.client, one.password);
    const app = (await other.client.post(`${factorPath}/begin`, { password: other.password })).data;
    const key = createAuthenticator();

    expect(await confirm(other.client, data.setup, key.create(data.passkey))).toMatchObject(atSetUp);
    expect(await confirm(other.client, app.setup, key.create(data.passkey))).toMatchObject(atSetUp);
    const code = { setup: data.setup, code: '123456' };
    expect(await one.client.post(`${factorPath}/confirm`, code)).toMatchObject(atSetUp);
    pass(900_000);
    expect(await confirm(one.client, data.setup, key.create(data.passkey))).toMatchObject(atSetUp);
  });

  test('with the factor, if there is one', async () => {
    const { client: own, password, key, codes } = await addKeyed();
    const noProof = { status: 422, errors: [{ path: 'body.code' }] };

    expect(await begin(own, password)).toMatchObject(noProof);
    expect(await begin(own, password, { code: '123456' })).toMatchObject(noProof);
    const signed = await prove(own, key);
    expect(await begin(own, password, { passkey: signed.passkey })).toMatchObject(unaccepted);
    expect(await begin(own, password, signed)).toMatchObject(ok);
    expect(await begin(own, password, signed)).toMatchObject(unaccepted);
    expect(await begin(own, password, { code: codes[0] })).toMatchObject(ok);
  });

  test('up to ten times', async () => {
    const { client: own, password, key } = await addKeyed();
    for (let more = 1; more < 10; more += 1) {
      pass(1000);
      expect(await add(own, password, createAuthenticator(), await prove(own, key))).toMatchObject(ok);
    }

    expect(outcome(await begin(own, password, await prove(own, key)))).toBe('409 passkey.too_many');
    expect((await detail(own)).passkeys).toHaveLength(10);
  });
});

describe('a passkey is a recent factor', () => {
  const give = (as: Client, proof: object) => as.post(`${loginBase}/factor`, proof);
  let count = 0;
  const addRole = (as: Client) => {
    count += 1;
    return as.post('/adminapi/system/role/add', { name: `Keyed ${count}`, grants: [] });
  };
  async function logInWith(person: Awaited<ReturnType<typeof addKeyed>>) {
    const first = await open(person);
    const { data } = await second(first.challenge, person.key.get(first.passkey));
    return access.client.as(data.token);
  }

  test('for ten minutes after a login with it, and after each use', async () => {
    const person = await addKeyed({ super: true });
    const own = await logInWith(person);

    expect(await addRole(own)).toMatchObject(ok);
    expect(await addRole(person.client)).toMatchObject(needsFactor);
    pass(601_000);
    expect(await addRole(own)).toMatchObject(needsFactor);
    expect(await give(own, await prove(own, person.key))).toMatchObject(ok);
    expect(await addRole(own)).toMatchObject(ok);
  });

  test('by its own challenge, once, five tries, for five minutes', async () => {
    const [person, other] = [await addKeyed(), await addKeyed()];
    const own = person.client;
    const signed = await prove(own, person.key);

    expect(await give(own, signed)).toMatchObject(ok);
    expect(await give(own, signed)).toMatchObject(unaccepted);
    const late = await prove(own, person.key);
    pass(300_000);
    expect(await give(own, late)).toMatchObject(unaccepted);
    const sign = ({ challenge, passkey }: Answer['data'], claims?: Claims) => ({
      ...{ challenge, passkey: person.key.get(passkey, claims) },
    });
    const { data: theirs } = await other.client.get(`${factorPath}/challenge`);
    expect(await give(own, sign(theirs))).toMatchObject(unaccepted);
    expect(await give(own, sign(await open(person)))).toMatchObject(unaccepted);

    const { data } = await own.get(`${factorPath}/challenge`);
    for (let tries = 0; tries < 5; tries += 1)
      expect(await give(own, sign(data, { isVerified: false }))).toMatchObject(unaccepted);
    expect(await give(own, sign(data))).toMatchObject(unaccepted);
    expect(await give(own, await prove(own, person.key))).toMatchObject(ok);
  });

  test('and who has no factor gets no challenge', async () => {
    const { client: own } = await addAdmin();

    expect(await own.get(`${factorPath}/challenge`)).toMatchObject({ status: 409, code: 'factor.not_set' });
  });
});

describe('a passkey is removed', () => {
  const remove = async (as: Client, password: string, key: Authenticator, id?: string) =>
    as.post(`${factorPath}/remove`, { password, id, ...(await prove(as, key)) });

  test('with password and factor, and logs in no more', async () => {
    const person = await addKeyed();
    const { client: own, password, key } = person;
    const other = createAuthenticator();
    pass(1000);
    await add(own, password, other, await prove(own, key));
    const before = await open(person);

    const unproved = await own.post(`${factorPath}/remove`, { password, id: key.id });
    expect(unproved.status).toBe(422);
    expect(await remove(own, 'wrong', key, other.id)).toMatchObject({ status: 422 });
    expect(outcome(await remove(own, password, other, 'unknown'))).toBe('404 passkey.not_found');
    expect(outcome(await remove(own, password, other, undefined))).toBe('409 factor.not_set');
    expect(await remove(own, password, other, key.id)).toMatchObject(ok);

    const late = await second(before.challenge, key.get(before.passkey));
    expect(late.code).toBe('auth.code_invalid');
    expect(await detail(own)).toMatchObject({ passkeys: [{ id: other.id }], codes_left: 10 });
    expect(await second(before.challenge, other.get(before.passkey))).toMatchObject(ok);
  });

  test('as the last factor with the recovery codes, and the password alone logs in', async () => {
    const person = await addKeyed();
    const { client: own, password, key } = person;

    expect(await remove(own, password, key, key.id)).toMatchObject(ok);

    expect(await detail(own)).toMatchObject({ passkeys: [], codes_left: 0 });
    expect(await open(person)).toMatchObject({ token: expect.any(String), admin: { two_factor: false } });
  });

  test('by a reset, which ends all logins', async () => {
    const person = await addKeyed();

    expect(await admin.post(`${factorPath}/reset`, { id: person.id })).toMatchObject(ok);

    expect(await person.client.get(`${factorPath}/detail`)).toMatchObject({ status: 401 });
    expect(await detail(await logIn(person.account))).toMatchObject({ passkeys: [], codes_left: 0 });
  });
});

test('the audit log says who added and removed passkeys, and holds no key or signature', async () => {
  const { client: own, password, id } = await addAdmin();
  const key = createAuthenticator();

  const { entries } = await recordWork(async () => {
    const { data } = await begin(own, password);
    pass(1000);
    await confirm(own, data.setup, key.create(data.passkey), 'Laptop');
    pass(1000);
    const proof = await prove(own, key);
    await own.post(`${factorPath}/remove`, { password, id: key.id, ...proof });
  });

  expect(entries.map(({ action, outcome, target, fields }) => [action, outcome, target, fields])).toEqual([
    ['system/admin/factor/begin', 'ok', `admin:${id}`, { method: 'passkey' }],
    ['system/admin/factor/confirm', 'ok', `admin:${id}`, { name: 'Laptop' }],
    ['system/admin/factor/remove', 'ok', `admin:${id}`, { id: key.id }],
  ]);
  expect(JSON.stringify(await readLog())).not.toMatch(/clientDataJSON|attestationObject|signature|pQEC/);
});
