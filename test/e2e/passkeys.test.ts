import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { stopClock } from '../support/fake-time.ts';
import { type Claims, createAuthenticator } from '../support/software-authenticator.ts';
import { useFunctions } from '../support/use-functions.ts';
import { createKeyring, type Keyed } from './passkey-fixture.ts';
import { createGuard, factorPath, loginBase, secondPath, stepMs } from './second-factor-fixture.ts';

// A login by password and a passkey. The clock moves when the test says so.

const access = useFunctions({ environment: { THROTTLE_FACTOR: '1000' } });
const { client, addAdmin } = access;
const { addGuarded, setMode } = createGuard(access);
const { add, addKeyed, open, prove, second } = createKeyring(access);

beforeAll(async () => {
  stopClock();
  await setMode('optional');
});
afterAll(() => void jest.useRealTimers());

const ok = { status: 200, code: 'ok' };
const wrong = { status: 401, code: 'auth.code_invalid' };
const voided = { status: 401, code: 'auth.challenge_invalid' };

const pass = (ms: number) => jest.setSystemTime(Date.now() + ms);
const unaccepted = { status: 422, errors: [{ path: 'body.passkey' }] };

describe('a login with a passkey', () => {
  test('gets a challenge with options for the password, and a token for the signature', async () => {
    const person = await addKeyed();

    const first = await open(person);
    const answer = await second(first.challenge, person.key.get(first.passkey));

    expect(first).toEqual({
      challenge: expect.any(String),
      methods: ['passkey', 'recovery_code'],
      passkey: {
        challenge: expect.stringMatching(/^[\w-]{43}$/),
        rpId: 'localhost',
        allowCredentials: [{ id: person.key.id, type: 'public-key', transports: ['internal'] }],
        userVerification: 'required',
        timeout: 300_000,
      },
      expires_at: expect.any(String),
    });
    expect(answer).toMatchObject(ok);
    expect(answer.data).toMatchObject({ admin: { id: person.id, two_factor: true } });
    expect(answer.text).not.toMatch(/passkey|factor_/);
    expect(await client.as(answer.data.token).get('/adminapi/system/admin/info')).toMatchObject(ok);
  });

  test('takes each passkey of the administrator, and notes its use', async () => {
    const person = await addKeyed();
    const other = createAuthenticator();
    pass(1000);
    await add(person.client, person.password, other, await prove(person.client, person.key));
    pass(60_000);
    const first = await open(person);

    const { data } = await second(first.challenge, other.get(first.passkey));

    expect(first.passkey.allowCredentials).toMatchObject([{ id: person.key.id }, { id: other.id }]);
    const { passkeys } = (await client.as(data.token).get(`${factorPath}/detail`)).data;
    const now = new Date().toISOString();
    const shown = { name: 'Passkey', created_at: expect.any(String), last_used_at: expect.any(String) };
    expect(passkeys).toEqual([
      { ...shown, id: person.key.id },
      { ...shown, id: other.id, last_used_at: now },
    ]);
    expect(passkeys[0].last_used_at < now).toBe(true);
  });

  test('is not replayed: not for the same challenge, and not for another one', async () => {
    const person = await addKeyed();
    const [one, other] = [await open(person), await open(person)];
    const signed = person.key.get(one.passkey);

    expect(await second(one.challenge, signed)).toMatchObject(ok);
    expect(await second(one.challenge, signed)).toMatchObject(voided);
    expect(await second(other.challenge, signed)).toMatchObject(wrong);
  });

  test('begins one session, also by two requests at once', async () => {
    const person = await addKeyed();
    const first = await open(person);
    const signed = person.key.get(first.passkey);

    const answers = await Promise.all([1, 2].map(() => second(first.challenge, signed)));

    expect(answers.filter(({ code }) => code === 'ok')).toHaveLength(1);
  });

  const { privateKey: foreignKey } = createAuthenticator();
  test.each<[string, Claims]>([
    ['of another origin', { origin: 'https://localhost:3000' }],
    ['of another port', { origin: 'http://localhost:3001' }],
    ['for another RP ID', { rpId: 'example.com' }],
    ['for an invented challenge', { challenge: 'a'.repeat(43) }],
    ['of a registration', { type: 'webauthn.create' }],
    ['by another key', { key: foreignKey }],
    ['without a person', { isPresent: false }],
    ['without a verified person', { isVerified: false }],
  ])('refuses a signature %s', async (_title, claims) => {
    const person = await addKeyed();
    const first = await open(person);

    expect(await second(first.challenge, person.key.get(first.passkey, claims))).toMatchObject(wrong);
    expect(await second(first.challenge, person.key.get(first.passkey))).toMatchObject(ok);
  });

  test('refuses a counter that goes back or stays, and takes an authenticator that does not count', async () => {
    const [person, plain] = [await addKeyed(), await addKeyed()];
    const logIn = async (of: Keyed, counter: number) => {
      const first = await open(of);
      return second(first.challenge, of.key.get(first.passkey, { counter }));
    };

    expect(await logIn(person, 5)).toMatchObject(ok);
    expect(await logIn(person, 5)).toMatchObject(wrong);
    expect(await logIn(person, 4)).toMatchObject(wrong);
    expect(await logIn(person, 0)).toMatchObject(wrong);
    expect(await logIn(person, 6)).toMatchObject(ok);
    for (let uses = 0; uses < 2; uses += 1) expect(await logIn(plain, 0)).toMatchObject(ok);
  });

  test('refuses the passkey of another administrator, also under the ID of an own one', async () => {
    const [person, other] = [await addKeyed(), await addKeyed()];
    const first = await open(person);
    const foreign = other.key.get(first.passkey);
    const own = { id: person.key.id, rawId: person.key.id };

    expect(await second(first.challenge, foreign)).toMatchObject(wrong);
    expect(await second(first.challenge, { ...foreign, ...own })).toMatchObject(wrong);
    const theirs = await open(other);
    expect(await second(theirs.challenge, person.key.get(first.passkey))).toMatchObject(wrong);
  });

  test('refuses texts that are no signature', async () => {
    const person = await addKeyed();
    const first = await open(person);
    const signed = person.key.get(first.passkey);
    const changes = { authenticatorData: 'AAAA', clientDataJSON: 'e30', signature: '!' };

    for (const [part, value] of Object.entries(changes)) {
      const response = { ...signed.response, [part]: value };
      expect(await second(first.challenge, { ...signed, response })).toMatchObject(wrong);
    }
    expect(await second(first.challenge, { ...signed, rawId: 'AAAA' })).toMatchObject(wrong);
    expect(await client.post(secondPath, { challenge: first.challenge })).toMatchObject(wrong);
  });

  test('takes a challenge of a login only, not one of who is logged in', async () => {
    const person = await addKeyed();
    const own = await prove(person.client, person.key);

    expect(await second(own.challenge, own.passkey)).toMatchObject(voided);
  });

  test('is offered beside the authenticator app, and each of them is enough', async () => {
    const person = await addGuarded();
    const key = createAuthenticator();
    const before = person.codes;
    pass(stepMs);
    const answer = await add(person.client, person.password, key, { code: person.codeAt() });

    expect(answer.data).toEqual({ codes: [] });
    const first = await open(person);
    expect(first.methods).toEqual(['totp', 'passkey', 'recovery_code']);
    expect(await second(first.challenge, key.get(first.passkey))).toMatchObject(ok);
    pass(stepMs);
    const logIn = async (code: string) =>
      client.post(secondPath, { challenge: (await open(person)).challenge, code });
    expect(await logIn(person.codeAt())).toMatchObject(ok);
    expect(await logIn(before[0] ?? '')).toMatchObject(ok);
  });
});

describe('recovery codes', () => {
  test('come with the first passkey, and log in without it', async () => {
    const person = await addKeyed();
    const { challenge } = await open(person);

    expect(person.codes).toHaveLength(10);
    expect(await client.post(secondPath, { challenge, code: person.codes[0] })).toMatchObject(ok);
    const next = (await open(person)).challenge;
    expect(await client.post(secondPath, { challenge: next, code: '123456' })).toMatchObject(wrong);
  });

  test('are renewed with a passkey', async () => {
    const person = await addKeyed();
    const { password, client: own } = person;

    const renewed = await own.post(`${factorPath}/codes`, { password, ...(await prove(own, person.key)) });

    expect(renewed.data.codes).toHaveLength(10);
    expect(renewed.data.codes).not.toEqual(person.codes);
  });
});

describe('the settings', () => {
  test('lead an administrator without a factor to add one, and give no token before', async () => {
    const plain = await addAdmin();
    await setMode('required');
    const { challenge, methods, token } = await open(plain);
    const { data } = await client.post(`${loginBase}/setup`, { challenge, method: 'passkey' });
    const key = createAuthenticator();
    const confirm = (claims?: Claims) =>
      client.post(`${loginBase}/confirm`, {
        challenge,
        setup: data.setup,
        passkey: key.create(data.passkey, claims),
        name: 'Laptop',
      });
    const refused = await confirm({ origin: 'https://elsewhere.example' });
    const answer = await confirm();
    const again = await confirm();
    await setMode('optional');

    expect([methods, token]).toEqual([['setup'], undefined]);
    expect(refused).toMatchObject(unaccepted);
    expect(answer.data.codes).toHaveLength(10);
    expect(answer.data.admin).toMatchObject({ id: plain.id, two_factor: true });
    expect(again).toMatchObject(voided);
    const first = await open(plain);
    expect(await second(first.challenge, key.get(first.passkey))).toMatchObject(ok);
  });

  test('keep the last factor that they require, and let another one go', async () => {
    const person = await addKeyed();
    const { client: own, password, key } = person;
    const other = createAuthenticator();
    pass(1000);
    await add(own, password, other, await prove(own, key));
    await setMode('required');
    const remove = async (id: string) =>
      own.post(`${factorPath}/remove`, { password, id, ...(await prove(own, other)) });
    const removed = await remove(key.id);
    const refused = await remove(other.id);
    await setMode('optional');

    expect(removed).toMatchObject(ok);
    expect(refused).toMatchObject({ status: 409, code: 'factor.required' });
  });
});
