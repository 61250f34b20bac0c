import { createSecretKey, generateKeyPairSync } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { visitProvider } from '../doubles/openid/visit-provider.ts';
import { outcome } from '../support/answers.ts';
import { stopClock } from '../support/fake-time.ts';
import { authorizeParameters, createPkce } from '../support/oauth.ts';
import { createAuthenticator } from '../support/software-authenticator.ts';
import { readLog, recordWork, useFunctions } from '../support/use-functions.ts';
import { createKeyring } from './passkey-fixture.ts';
import { createGuard } from './second-factor-fixture.ts';
import { createSso, login, useProvider } from './sso-fixture.ts';

// A login at a real OpenID provider, behind a proxy that can change its answers.

const provider = useProvider();
const access = useFunctions({ environment: { THROTTLE_FACTOR: '1000' } });
const { admin, client, addAdmin, addRole, logIn } = access;
const { begin, bind, enter, finish, setUp, visit } = createSso(access, provider);
const { addGuarded, second, setMode } = createGuard(access);
const { add: addPasskey, second: sendPasskey } = createKeyring(access);

const system = '/adminapi/system';
const ok = { status: 200, code: 'ok' };
const invalid = { status: 401, code: 'auth.sso_invalid' };
const unknown = { status: 401, code: 'auth.sso_unknown' };
const failed = { status: 502, code: 'sso.provider_failed', data: null };

beforeAll(() => setUp());
afterEach(() => {
  provider.meddle = undefined;
  provider.answer = undefined;
});
/** Why the provider's answer was refused, as it is logged. */
const reasons: string[] = [];
beforeAll(() => {
  const keep = (line: unknown) => void reasons.push(JSON.parse(String(line)).error);
  jest.spyOn(console, 'error').mockImplementation(keep);
});
afterAll(() => void jest.restoreAllMocks());
let count = 0;
/** An administrator whose account of the provider is bound. */
async function addBound(options = {}) {
  count += 1;
  const name = `person-${count}`;
  const person = await addAdmin(options);
  expect(await bind(person.client, person.password, name)).toMatchObject(ok);
  return { ...person, name };
}

describe('a login by the provider', () => {
  test('logs in the administrator to whom the account is bound, and is in the audit log', async () => {
    const person = await addBound();

    const { answer, entries } = await recordWork(() => enter(person.name));

    expect(answer).toMatchObject({ ...ok, data: { admin: { id: person.id, has_password: true } } });
    expect(await client.as(answer.data.token).get(`${system}/admin/info`)).toMatchObject(ok);
    expect(entries).toMatchObject([
      { action: 'system/login/sso', outcome: 'ok', actor: { kind: 'admin', id: person.id } },
    ]);
    const mine = await client.as(answer.data.token).get(`${system}/audit/mine?limit=1`);
    expect(mine.data.list).toMatchObject([{ action: 'system/login/sso', code: 'ok' }]);
    const { url } = await begin();
    expect(Object.fromEntries(new URL(url).searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      redirect_uri: 'http://localhost:3000/console/sso',
      scope: 'openid profile',
    });
  });

  test('leaves no code, token or secret in the log', async () => {
    const person = await addBound();
    const { flow, callback } = await visit(person.name);
    await finish(flow, callback);
    const text = JSON.stringify(await readLog());

    for (const secret of [flow, callback.code, callback.state, provider.client.client_secret])
      expect(text).not.toContain(secret);
  });

  test('ends with the ID token, and after twelve hours at the latest', async () => {
    const { name } = await addBound();
    const nowSeconds = Math.floor(Date.now() / 1000);
    const endOf = async (exp: number) => {
      provider.meddle = ({ claims }) => void Object.assign(claims, { exp });
      return Date.parse((await enter(name)).data.expires_at) / 1000 - nowSeconds;
    };

    expect(await endOf(nowSeconds + 900)).toBe(900);
    const most = await endOf(nowSeconds + 30 * 86_400);
    expect(most).toBeGreaterThanOrEqual(12 * 3600);
    expect(most).toBeLessThan(12 * 3600 + 60);
  });

  test('is refused from its end on, and says when it began', async () => {
    const { name } = await addBound();
    const { data } = await enter(name);
    const own = client.as(data.token);
    const { data: sessions } = await own.get(`${system}/admin/session/list`);
    const mine = sessions.list.find((each: { current: boolean }) => each.current);
    expect(Math.abs(Date.parse(mine.since) - Date.now())).toBeLessThan(60_000);

    stopClock();
    jest.setSystemTime(Date.parse(data.expires_at) - 1000);
    expect(await own.get(`${system}/admin/info`)).toMatchObject(ok);
    jest.setSystemTime(Date.parse(data.expires_at));
    expect(await own.get(`${system}/admin/info`)).toMatchObject({ status: 401 });
    jest.useRealTimers();
  });
});

describe('a callback', () => {
  test('is taken once, also by two requests at the same time', async () => {
    const { name } = await addBound();
    const { flow, callback } = await visit(name);

    const answers = await Promise.all([finish(flow, callback), finish(flow, callback)]);

    expect(answers.map(({ code }) => code).sort()).toEqual(['auth.sso_invalid', 'ok']);
    expect(await finish(flow, callback)).toMatchObject(invalid);
  });

  test('is refused in another browser, which has begun a login of its own or none', async () => {
    const { name } = await addBound();
    const { callback } = await visit(name);
    const other = await begin();

    expect(await finish(other.flow, callback)).toMatchObject(invalid);
    expect(await finish('invented', callback)).toMatchObject(invalid);
  });

  test('is refused with another state, another issuer, an error, or for another purpose', async () => {
    const { name } = await addBound();
    const change = async (changed: object, purpose = 'login') => {
      const { flow, callback } = await visit(name, purpose);
      return finish(flow, { ...callback, ...changed });
    };

    expect(await change({ state: 'another' })).toMatchObject(invalid);
    expect(await change({ iss: 'https://other.example.com' })).toMatchObject(invalid);
    expect(await change({ error: 'access_denied' })).toMatchObject(invalid);
    expect(await change({}, 'invitation')).toMatchObject(invalid);
    expect(await change({ code: 'guessed' })).toMatchObject(failed);
  });

  test('is refused after ten minutes, and after the provider was replaced', async () => {
    const { name } = await addBound();
    const late = await visit(name);
    stopClock();
    jest.setSystemTime(Date.now() + 600_000);
    expect(await finish(late.flow, late.callback)).toMatchObject(invalid);
    jest.useRealTimers();

    const { flow, callback } = await visit(name);
    await setUp({ issuer: `${provider.issuer}/other` });
    expect(await finish(flow, callback)).toMatchObject(invalid);
    await setUp();
  });
});

describe('an ID token', () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const clientSecret = createSecretKey('secret-of-the-client-that-no-log-holds', 'utf8');
  const hour = 3600;
  const comparison = 'OAUTH_JWT_CLAIM_COMPARISON_FAILED';
  const missing = 'OAUTH_INVALID_RESPONSE';
  const now = () => Math.floor(Date.now() / 1000);

  test('that is signed with a published key is taken', async () => {
    const { name, id } = await addBound();
    provider.meddle = () => {};
    expect(await enter(name)).toMatchObject({ ...ok, data: { admin: { id } } });
  });

  test.each([
    ['of another nonce', { nonce: 'another' }, comparison],
    ['without a nonce', { nonce: undefined }, missing],
    ['of another issuer', { iss: 'https://other.example.com' }, comparison],
    ['for another audience', { aud: 'other' }, comparison],
    ['for several audiences, and not this one', { aud: ['one', 'other'] }, comparison],
    ['for several audiences, and made for another', { aud: ['console', 'other'], azp: 'other' }, comparison],
    ['that has expired', { iat: now() - 2 * hour, exp: now() - hour }, 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED'],
    ['without an end', { exp: undefined }, missing],
    ['without a subject', { sub: undefined }, missing],
  ])('%s is refused', async (_title, changed, reason) => {
    const { name } = await addBound();
    provider.meddle = ({ claims }) => void Object.assign(claims, changed);
    expect(await enter(name)).toMatchObject(failed);
    expect(reasons.at(-1)).toBe(`Error: ${reason}`);
  });

  test.each([
    ['an unpublished key', { kid: 'unknown' }, privateKey, 'OAUTH_KEY_SELECTION_FAILED'],
    ['an unpublished key that claims to be the published one', { kid: 'first' }, privateKey, missing],
    ['none', { alg: 'none' }, undefined, missing],
    ['a shared secret', { alg: 'HS256' }, clientSecret, missing],
    ['no signature', {}, undefined, missing],
  ])('signed with %s is refused', async (_title, header, key, reason) => {
    const { name } = await addBound();
    provider.meddle = (token) => {
      Object.assign(token.header, header);
      token.key = key;
    };
    expect(await enter(name)).toMatchObject(failed);
    expect(reasons.at(-1)).toBe(`Error: ${reason}`);
  });

  test('signed with a key that the provider has just begun to use is taken', async () => {
    const { name } = await addBound();
    expect(await enter(name)).toMatchObject(ok);
    const asked = provider.asked.length;
    const { kid, key } = provider.rotate();
    provider.meddle = (token) => {
      token.header.kid = kid;
      token.key = key;
    };

    expect(await enter(name)).toMatchObject(ok);
    expect(provider.asked.slice(asked).filter((path) => path === '/jwks')).toHaveLength(1);
    expect(await enter(name)).toMatchObject(ok);
    expect(provider.asked.slice(asked).filter((path) => path === '/jwks')).toHaveLength(1);
  });

  test('of another subject logs in that one, and never by its mail or its name', async () => {
    const [one, other] = [await addBound(), await addBound()];
    const claims = { sub: other.name, email: `${one.account}@example.com`, preferred_username: one.account };
    provider.meddle = (token) => void Object.assign(token.claims, claims);
    expect(await enter(one.name)).toMatchObject({ ...ok, data: { admin: { id: other.id } } });

    provider.meddle = (token) => void Object.assign(token.claims, { ...claims, sub: 'unknown' });
    expect(await enter(one.name)).toMatchObject(unknown);
  });
});

describe('a provider that is down', () => {
  test.each([
    ['fails', { status: 500, body: {} }],
    ['redirects', { status: 302, body: {} }],
    ['answers without JSON of its own', { status: 200, body: ['x'] }],
    ['answers too much', { status: 200, body: 'x'.repeat(300_000) }],
  ])('and %s is one error, and the password logs in', async (_title, answer) => {
    const person = await addBound();
    const { flow, callback } = await visit(person.name);
    provider.answer = () => answer;

    expect(await finish(flow, callback)).toMatchObject(failed);
    expect(await logIn(person.account, person.password)).toBeTruthy();
  });

  test('begins no login after its settings have changed', async () => {
    provider.answer = () => ({ status: 503, body: {} });
    await setUp({ issuer: `${provider.issuer}/` });
    expect(await client.post(`${login}/ssoStart`, { purpose: 'login' })).toMatchObject(failed);
    await setUp({ issuer: '' });
    const off = await client.post(`${login}/ssoStart`, { purpose: 'login' });
    expect(outcome(off)).toBe('409 sso.off');
    await setUp();
  });
});

describe('an account that is bound to no administrator', () => {
  test('is refused', async () => {
    expect(await enter('nameless')).toMatchObject(unknown);
  });

  test('gets an administrator with the role of the settings, once, and no more than this role', async () => {
    const role = await addRole('system/role:read');
    await setUp({ create: role });

    const { data } = await enter('newcomer');
    const again = await enter('newcomer');

    const shown = { name: 'Name of newcomer', super: false, role_ids: [role], has_password: false };
    expect(data.admin).toMatchObject(shown);
    expect(again.data.admin.id).toBe(data.admin.id);
    const own = client.as(data.token);
    expect(await own.get(`${system}/role/list`)).toMatchObject(ok);
    expect(await own.get(`${system}/admin/list`)).toMatchObject({ status: 403 });
    for (const password of [' ', 'a long password', 'undefined']) {
      const tried = await client.post(`${login}/account`, { account: data.admin.account, password });
      expect(tried.code).toBe('auth.credentials_invalid');
    }
    await setUp();
  });

  test('is created once by two logins at the same time', async () => {
    await setUp({ create: await addRole('system/role:read') });
    const answers = await Promise.all([enter('twice'), enter('twice')]);

    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(new Set(answers.map(({ data }) => data.admin.id)).size).toBe(1);
    await setUp();
  });

  test('is refused if the role was deleted', async () => {
    const role = await addRole('system/role:read');
    await setUp({ create: role });
    expect(await admin.post(`${system}/role/delete`, { id: role })).toMatchObject(ok);

    expect(await enter('late')).toMatchObject(unknown);
    await setUp();
    expect(await enter('late')).toMatchObject(unknown);
  });

  test('stays unbound after its administrator was deleted, also if the settings name a role', async () => {
    const person = await addBound();
    expect(await admin.post(`${system}/admin/delete`, { id: person.id })).toMatchObject(ok);
    expect(await enter(person.name)).toMatchObject(unknown);
    await setUp({ create: await addRole('system/role:read') });
    expect(await enter(person.name)).toMatchObject(unknown);
    await setUp();
    // The account is free for another administrator.
    const next = await addAdmin();
    expect(await bind(next.client, next.password, person.name)).toMatchObject(ok);
  });
});

describe('the settings', () => {
  const save = (as: typeof admin, values: object) =>
    as.post(`${system}/setting/config/save`, { group: 'oidc', values });

  test('name a role only if who saves them has its rights, and one that exists', async () => {
    const [high, low] = [await addRole('system/admin:write'), await addRole('system/role:read')];
    const grants = ['system/setting/config/save/oidc:write', 'system/role:read'];
    const { client: own } = await addAdmin({ grants });

    expect(await save(own, { create: high })).toMatchObject({ status: 403, code: 'role.exceeds' });
    expect(await save(own, { create: low })).toMatchObject(ok);
    // Another provider would give the role that is set already.
    await setUp({ create: high });
    expect(await save(own, { issuer: provider.issuer })).toMatchObject({ status: 403, code: 'role.exceeds' });
    await setUp({ create: low });
    expect(await save(own, { issuer: provider.issuer })).toMatchObject(ok);
    const gone = '01JA4QD2F4G6H8J0K2M4N6P8Q0';
    expect(await save(own, { create: gone })).toMatchObject({ status: 404, code: 'role.not_found' });
    expect(await save(own, { create: 'super' })).toMatchObject({ status: 422 });
    await setUp();
  });

  test('take another issuer only with the secret, which is never answered', async () => {
    expect(await save(admin, { issuer: 'https://other.example.com' })).toMatchObject({ status: 422 });
    expect(await save(admin, { issuer: 'other' })).toMatchObject({ status: 422 });
    expect(await save(admin, { scopes: 'profile' })).toMatchObject({ status: 422 });
    const { text } = await admin.get(`${system}/setting/config/list`);
    expect(text).not.toContain(provider.client.client_secret);
  });
});

describe('a binding', () => {
  const path = `${system}/admin/sso`;

  test('needs the password, and is one of one account and one administrator', async () => {
    const [one, other] = [await addBound(), await addAdmin()];

    const atPassword = { status: 422, errors: [{ path: 'body.password' }] };
    expect(await bind(other.client, 'a wrong password', 'x')).toMatchObject(atPassword);
    expect(outcome(await bind(other.client, other.password, one.name))).toBe('409 sso.bound');
    expect(outcome(await bind(one.client, one.password, 'second'))).toBe('409 sso.bound');
    expect((await enter(one.name)).data.admin.id).toBe(one.id);
  });

  test('is not made with what another administrator has begun', async () => {
    const [one, other] = [await addAdmin(), await addAdmin()];
    const { data } = await one.client.post(`${path}/begin`, { password: one.password });
    const callback = await visitProvider(data.url, 'shared');

    expect(await other.client.post(`${path}/bind`, { flow: data.flow, ...callback })).toMatchObject(invalid);
    expect(await finish(data.flow, callback)).toMatchObject(invalid);
  });

  test('is removed with the password, and then logs in no more', async () => {
    const { client: own, account, name, password } = await addBound();
    const shown = { issuer: provider.issuer, has_password: true, available: true };
    expect((await own.get(`${path}/detail`)).data).toMatchObject(shown);

    expect(await own.post(`${path}/remove`, { password: 'a wrong password' })).toMatchObject({ status: 422 });
    const bySso = client.as((await enter(name)).data.token);
    expect(await own.post(`${path}/remove`, { password })).toMatchObject(ok);
    // Every session has ended, also one that the provider began.
    for (const each of [own, bySso]) expect(await each.get(`${path}/detail`)).toMatchObject({ status: 401 });
    const again = await logIn(account, password);
    expect(await again.post(`${path}/remove`, { password })).toMatchObject({ code: 'sso.not_bound' });
    expect(await enter(name)).toMatchObject(unknown);
    expect(await bind(again, password, name)).toMatchObject(ok);
  });

  test('ends with a password that another administrator sets', async () => {
    const { id, name } = await addBound();
    const password = 'another long passphrase';
    expect(await admin.post(`${system}/admin/password`, { id, password })).toMatchObject(ok);
    expect(await enter(name)).toMatchObject(unknown);
  });

  test('begins sessions that consent to nothing without the own password', async () => {
    const { name } = await addBound();
    const own = client.as((await enter(name)).data.token);
    const redirectUri = 'http://127.0.0.1/callback';
    const added = { name: 'Desk', redirect_uris: [redirectUri] };
    const { data: made } = await admin.post(`${system}/oauth/client/add`, added);
    const query = new URLSearchParams(authorizeParameters(made.id, redirectUri, createPkce().challenge));

    expect((await own.get(`${system}/oauth/request?${query}`)).data.needs_password).toBe(true);
  });

  test('stays if the administrator has no password', async () => {
    await setUp({ create: await addRole('system/role:read') });
    const own = client.as((await enter('only-here')).data.token);
    await setUp();

    const refused = await own.post(`${path}/remove`, { password: 'any password' });
    expect(outcome(refused)).toBe('409 sso.needs_password');
  });

  test('asks for a recent second factor', async () => {
    await setMode('optional');
    const person = await addGuarded();
    const refused = await person.client.post(`${path}/begin`, { password: person.password });
    expect(outcome(refused)).toBe('403 auth.factor_required');
    await setMode('off');
  });
});

describe('the second factor', () => {
  afterAll(() => setMode('off'));

  test('is asked for after the provider, and the session ends as the login there', async () => {
    const person = await addBound();
    await setMode('optional');
    const { setUp: setUpFactor } = createGuard(access);
    const { codes } = await setUpFactor(person.client, person.password);

    const { data } = await enter(person.name);

    expect(data).toMatchObject({ challenge: expect.any(String), methods: ['totp', 'recovery_code'] });
    expect(data.token).toBeUndefined();
    const answer = await second(data.challenge, codes[0] ?? '');
    expect(answer).toMatchObject(ok);
    const hours = (Date.parse(answer.data.expires_at) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(0.9);
    expect(hours).toBeLessThanOrEqual(1);
  });

  test('is asked for also if it is a passkey only', async () => {
    const person = await addBound();
    await setMode('optional');
    const key = createAuthenticator();
    await addPasskey(person.client, person.password, key);

    const { data } = await enter(person.name);

    expect(data).toMatchObject({ methods: ['passkey', 'recovery_code'] });
    expect(data.token).toBeUndefined();
    expect(await sendPasskey(data.challenge, key.get(data.passkey))).toMatchObject(ok);
  });

  test('must be set up if the settings require it', async () => {
    const { name } = await addBound();
    await setMode('required');
    expect((await enter(name)).data).toMatchObject({ methods: ['setup'] });
  });
});

test('a disabled administrator is refused with the next request, and at the next login', async () => {
  const { id, name } = await addBound();
  const own = client.as((await enter(name)).data.token);
  const { flow, callback } = await visit(name);
  expect(await own.get(`${system}/admin/info`)).toMatchObject(ok);

  await admin.post(`${system}/admin/edit`, { id, status: 'disabled' });

  expect(await own.get(`${system}/admin/info`)).toMatchObject({ status: 401 });
  expect(await finish(flow, callback)).toMatchObject({ status: 401, code: 'auth.principal_disabled' });
});
