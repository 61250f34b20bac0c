import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { gist } from '../support/answers.ts';
import { hashingsOf } from '../support/count-hashings.ts';
import { stopClock } from '../support/fake-time.ts';
import { readLog, recordWork, useFunctions } from '../support/use-functions.ts';
import { createKeyring } from './passkey-fixture.ts';
import { createApp, createGuard, factorPath, stepMs } from './second-factor-fixture.ts';

// A login by password and a code of an authenticator app. The clock moves when the test says so.

const access = useFunctions({ environment: { THROTTLE_FACTOR: '1000' } });
const { admin, client, addAdmin, logIn } = access;
const { addGuarded, begin, challenge, enter, second, setMode, setUp } = createGuard(access);

beforeAll(async () => {
  stopClock();
  await setMode('optional');
});
afterAll(() => void jest.useRealTimers());

const pass = (ms: number) => jest.setSystemTime(Date.now() + ms);
const ok = { status: 200, code: 'ok' };
const wrong = { status: 401, code: 'auth.code_invalid' };
const voided = { status: 401, code: 'auth.challenge_invalid' };

describe('a login with a second factor', () => {
  test('gets a challenge for the password, and a token for the code', async () => {
    const person = await addGuarded();

    const first = await enter(person);
    const answer = await second(first.data.challenge, person.codeAt());

    expect(first.data).toEqual({
      challenge: expect.any(String),
      methods: ['totp', 'recovery_code'],
      expires_at: new Date(Date.now() + 300_000).toISOString().replace(/\.\d+/, '.000'),
    });
    expect(answer.data).toMatchObject({ admin: { id: person.id, two_factor: true } });
    expect(await client.as(answer.data.token).get('/adminapi/system/admin/info')).toMatchObject(ok);
    expect(answer.text).not.toMatch(/factor_|hash/);
  });

  test('refuses a code that was used, also for another challenge, and the one of the set-up', async () => {
    const person = await addGuarded();
    const used = person.codeAt();

    expect(await second(await challenge(person), person.codeAt(-1))).toMatchObject(wrong);
    expect(await second(await challenge(person), used)).toMatchObject(ok);
    expect(await second(await challenge(person), used)).toMatchObject(wrong);
    pass(stepMs);
    expect(await second(await challenge(person), used)).toMatchObject(wrong);
    expect(await second(await challenge(person), person.codeAt())).toMatchObject(ok);
  });

  test('gives one of two requests with one code a token', async () => {
    const person = await addGuarded();
    const challenges = [await challenge(person), await challenge(person)];

    const answers = await Promise.all(challenges.map((each) => second(each, person.codeAt())));

    expect(answers.map(({ code }) => code).sort()).toEqual(['auth.code_invalid', 'ok']);
  });

  test('takes each recovery code once', async () => {
    const person = await addGuarded();
    const [one = '', other = ''] = person.codes;

    expect(person.codes).toHaveLength(10);
    expect(await second(await challenge(person), one)).toMatchObject(ok);
    expect(await second(await challenge(person), one)).toMatchObject(wrong);
    expect(await second(await challenge(person), ` ${other.toUpperCase()} `)).toMatchObject(ok);
    const own = (await second(await challenge(person), person.codes[2] ?? '')).data.token;
    const { data } = await client.as(own).get(`${factorPath}/detail`);
    expect(data).toMatchObject({ mode: 'optional', codes_left: 7 });
  });

  test('gives one of two requests with one recovery code a token', async () => {
    const person = await addGuarded();
    const challenges = [await challenge(person), await challenge(person)];

    const answers = await Promise.all(challenges.map((each) => second(each, person.codes[0] ?? '')));

    expect(answers.map(({ code }) => code).sort()).toEqual(['auth.code_invalid', 'ok']);
  });
});

describe('a challenge', () => {
  test('allows five tries, also of requests that come at once, and is void after them', async () => {
    const person = await addGuarded();
    const open = await challenge(person);

    const answers = await Promise.all(Array.from({ length: 9 }, () => second(open, '000000')));

    const codes = answers.map(({ code }) => code);
    expect(codes.filter((code) => code === 'auth.code_invalid')).toHaveLength(5);
    expect(codes.filter((code) => code === 'auth.challenge_invalid')).toHaveLength(4);
    expect(await second(open, person.codeAt())).toMatchObject(voided);
    expect(await second(await challenge(person), person.codeAt())).toMatchObject(ok);
  });

  test('begins one session', async () => {
    const person = await addGuarded();
    const open = await challenge(person);

    expect(await second(open, person.codeAt())).toMatchObject(ok);
    pass(stepMs);
    expect(await second(open, person.codeAt())).toMatchObject(voided);
  });

  test('takes no code of another administrator', async () => {
    const [one, other] = [await addGuarded(), await addGuarded()];

    expect(await second(await challenge(one), other.codeAt())).toMatchObject(wrong);
    expect(await second(await challenge(one), other.codes[0] ?? '')).toMatchObject(wrong);
  });

  test('lives for five minutes', async () => {
    const person = await addGuarded();
    const open = [await challenge(person), await challenge(person)];

    pass(299_000);
    expect(await second(open[0] ?? '', person.codeAt())).toMatchObject(ok);
    pass(1_000);
    expect(await second(open[1] ?? '', person.codeAt(1))).toMatchObject(voided);
  });

  test('cannot be invented or changed', async () => {
    const person = await addGuarded();
    const open = await challenge(person);
    const changed = `${open.slice(0, -3)}${open.endsWith('AAA') ? 'BBB' : 'AAA'}`;

    for (const each of ['x', changed, `${open}=`, ` ${open}`])
      expect(await second(each, person.codeAt())).toMatchObject(voided);
  });

  test('ends when the administrator is disabled, also if they are enabled again', async () => {
    const person = await addGuarded();
    const open = [await challenge(person), await challenge(person)];
    const edit = (status: string) => admin.post('/adminapi/system/admin/edit', { id: person.id, status });

    await edit('disabled');
    expect(await second(open[0] ?? '', person.codeAt())).toMatchObject(voided);
    await edit('enabled');
    expect(await second(open[1] ?? '', person.codeAt())).toMatchObject(voided);
  });

  test('ends when the password is changed, the account is deleted, or the factor is reset', async () => {
    const people = [await addGuarded(), await addGuarded(), await addGuarded()];
    const open = [];
    for (const person of people) open.push(await challenge(person));
    const [one, other, third] = people.map(({ id }) => id);

    await admin.post('/adminapi/system/admin/password', { id: one, password: 'another horse battery' });
    await admin.post('/adminapi/system/admin/delete', { id: other });
    await admin.post(`${factorPath}/reset`, { id: third });

    for (const [index, person] of people.entries())
      expect(await second(open[index] ?? '', person.codeAt())).toMatchObject(voided);
  });
});

describe('before the password is right, nothing says whether an account has a factor', () => {
  test('neither the answer nor its cost', async () => {
    const people = [await addGuarded(), await createKeyring(access).addKeyed(), await addAdmin()];
    const answers = new Set<string>();
    const costs: unknown[] = [];
    for (const account of [...people.map((each) => each.account), 'unknown']) {
      const refused = async () => {
        const answer = await enter({ account, password: 'wrong' });
        answers.add(JSON.stringify(gist(answer)));
        throw answer;
      };
      costs.push(await hashingsOf(refused));
    }

    expect(answers.size).toBe(1);
    expect(costs[0]).toHaveLength(1);
    expect(costs).toEqual(Array(4).fill(costs[0]));
  });

  test('nor the settings', async () => {
    const plain = await addAdmin();
    await setMode('required');
    const required = await enter({ ...plain, password: 'wrong' });
    await setMode('optional');

    expect(gist(required)).toEqual(gist(await enter({ ...plain, password: 'wrong' })));
  });
});

describe('the settings', () => {
  test('make no login weaker: who has a factor is asked for it if none can be set up', async () => {
    const person = await addGuarded();
    await setMode('off');
    const first = await enter(person);
    const refused = await admin.post(`${factorPath}/begin`, { password: 'correct horse battery' });
    await setMode('optional');

    expect(first.data.token).toBeUndefined();
    expect(await second(first.data.challenge, person.codeAt())).toMatchObject(ok);
    expect(refused).toMatchObject({ status: 409, code: 'factor.off' });
  });

  test('are changed only with the right to save those of the login', async () => {
    const path = 'system/setting/config/save';
    const [other, own] = [
      await addAdmin({ grants: [`${path}/upload:write`] }),
      await addAdmin({ grants: [`${path}/login:write`] }),
    ];
    const save = (as: typeof client) =>
      as.post(`/adminapi/${path}`, { group: 'login', values: { two_factor: 'optional' } });

    expect(await save(other.client)).toMatchObject({ status: 403, code: 'auth.permission_denied' });
    expect(await save(own.client)).toMatchObject(ok);
  });

  test('lead an administrator without a factor to set one up, and give no token before', async () => {
    const plain = await addAdmin();
    await setMode('required');
    const first = await enter(plain);
    const open = first.data.challenge;
    const asSecond = await second(open, '000000');
    const created = await client.post('/adminapi/system/login/setup', { challenge: open });
    const { secret, setup } = created.data;
    const confirm = (code: string, more = {}) =>
      client.post('/adminapi/system/login/confirm', { challenge: open, setup, code, ...more });
    const app = createApp(secret);
    const refused = await confirm('000000');
    const foreign = await confirm(app(), { setup: `${setup.slice(0, -4)}AAAA` });
    const answer = await confirm(app());
    const again = await confirm(app(1));
    await setMode('optional');

    expect(first.data).toMatchObject({ methods: ['setup'] });
    expect(first.data.token).toBeUndefined();
    expect(asSecond).toMatchObject(voided);
    expect(refused).toMatchObject({ status: 422, errors: [{ path: 'body.code' }] });
    expect(foreign).toMatchObject({ status: 422, errors: [{ path: 'body.setup' }] });
    expect(answer.data.codes).toHaveLength(10);
    expect(answer.data.admin).toMatchObject({ id: plain.id, two_factor: true });
    expect(again).toMatchObject(voided);
    expect(await client.as(answer.data.token).get(`${factorPath}/detail`)).toMatchObject(ok);
    expect(await second(await challenge(plain), app(1))).toMatchObject(ok);
  });

  test('keep a factor that they require', async () => {
    const person = await addGuarded();
    await setMode('required');
    const { client: own, password } = person;
    const removed = await own.post(`${factorPath}/remove`, { password, code: person.codeAt() });
    await setMode('optional');

    expect(removed).toMatchObject({ status: 409, code: 'factor.required' });
  });
});

describe('the own factor', () => {
  test('is set up with the password, and counts after its first code', async () => {
    const { client: own, password, account } = await addAdmin();
    const refused = await own.post(`${factorPath}/begin`, { password: 'wrong' });
    const { secret, setup, uri } = await begin(own, password);
    const before = await enter({ account, password });
    const wrongCode = await own.post(`${factorPath}/confirm`, { setup, code: '000000' });
    const answer = await own.post(`${factorPath}/confirm`, { setup, code: createApp(secret)() });

    expect(refused).toMatchObject({ status: 422, errors: [{ path: 'body.password' }] });
    expect(uri).toContain(secret);
    expect(before.data.token).toEqual(expect.any(String));
    expect(wrongCode).toMatchObject({ status: 422, errors: [{ path: 'body.code' }] });
    expect(answer).toMatchObject(ok);
    expect((await enter({ account, password })).data.token).toBeUndefined();
  });

  test('is that of one of two confirmations at once', async () => {
    const { client: own, password, account } = await addAdmin();
    const secrets = [await begin(own, password), await begin(own, password)];

    const confirm = ({ secret, setup }: (typeof secrets)[number]) =>
      own.post(`${factorPath}/confirm`, { setup, code: createApp(secret)(-1) });
    const answers = await Promise.all(secrets.map(confirm));

    expect(answers.map(({ code }) => code).sort()).toEqual(['ok', 'version_conflict']);
    const winner = answers.findIndex(({ code }) => code === 'ok');
    const codes = secrets.map(({ secret }) => createApp(secret)());
    const person = { account, password };
    expect(await second(await challenge(person), codes[1 - winner] ?? '')).toMatchObject(wrong);
    expect(await second(await challenge(person), codes[winner] ?? '')).toMatchObject(ok);
  });

  test('is not replaced by a set-up that began before it', async () => {
    const { client: own, password } = await addAdmin();
    const { secret, setup } = await begin(own, password);
    await setUp(own, password);

    const late = await own.post(`${factorPath}/confirm`, { setup, code: createApp(secret)() });

    expect(late).toMatchObject({ status: 422, errors: [{ path: 'body.setup' }] });
  });

  test('is replaced, renewed and removed with password and factor, not with one of them', async () => {
    const person = await addGuarded();
    const { client: own, password } = person;
    for (const path of ['begin', 'codes', 'remove']) {
      const send = (body: object) => own.post(`${factorPath}/${path}`, body);
      const answers = [
        await send({ password: 'wrong', code: person.codeAt() }),
        await send({ password, code: '000000' }),
        await send({ password, code: createApp('JBSWY3DPEHPK3PXP')() }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([422, 422, 422]);
    }
    expect(await own.post(`${factorPath}/begin`, { password })).toMatchObject({ status: 422 });
    const old = person.codes[0] ?? '';
    const renewed = await own.post(`${factorPath}/codes`, { password, code: old });
    expect(renewed.data.codes).toHaveLength(10);
    expect(await second(await challenge(person), person.codes[1] ?? '')).toMatchObject(wrong);

    const created = await begin(own, password, person.codeAt());
    const replaced = createApp(created.secret);
    await own.post(`${factorPath}/confirm`, { setup: created.setup, code: replaced() });
    expect(await second(await challenge(person), person.codeAt(1))).toMatchObject(wrong);
    expect(await second(await challenge(person), replaced(1))).toMatchObject(ok);

    pass(2 * stepMs);
    const removed = await own.post(`${factorPath}/remove`, { password, code: replaced() });
    expect(removed).toMatchObject(ok);
    expect((await enter(person)).data.token).toEqual(expect.any(String));
    const nothing = await own.post(`${factorPath}/remove`, { password, code: replaced() });
    expect(nothing).toMatchObject({ status: 409, code: 'factor.not_set' });
  });

  test('is reset by another super administrator only, and all logins end', async () => {
    const [person, helper] = [await addGuarded(), await addAdmin({ grants: ['system/admin/factor:write'] })];
    const reset = (as: typeof client) => as.post(`${factorPath}/reset`, { id: person.id });

    expect(await reset(helper.client)).toMatchObject({ status: 403, code: 'role.exceeds' });
    expect(await reset(person.client)).toMatchObject({ status: 403 });
    expect(await reset(admin)).toMatchObject(ok);
    expect(await reset(admin)).toMatchObject({ status: 409, code: 'factor.not_set' });
    expect(await person.client.get(`${factorPath}/detail`)).toMatchObject({ status: 401 });
    expect(await logIn(person.account)).toBeDefined();
  });
});

describe('the audit log', () => {
  test('names the administrator of both steps, and holds no secret', async () => {
    const { client: own, password, account, id } = await addAdmin();
    const { secret, codes } = await setUp(own, password);
    const app = createApp(secret);

    const { entries } = await recordWork(async () => {
      const open = await challenge({ account, password });
      pass(1000);
      await second(open, '000000');
      pass(1000);
      await second(open, app());
    });

    expect(entries.map(({ action, outcome, code }) => [action, outcome, code])).toEqual([
      ['system/login/account', 'ok', 'auth.factor_required'],
      ['system/login/second', 'refused', 'auth.code_invalid'],
      ['system/login/second', 'ok', 'ok'],
    ]);
    expect(entries.map(({ actor }) => actor)).toEqual(entries.map(() => ({ kind: 'admin', id, account })));
    const text = JSON.stringify(await readLog());
    for (const each of [secret, ...codes, app()]) expect(text).not.toContain(each);
  });

  test('shows both steps among the own logins', async () => {
    const person = await addGuarded();
    pass(1000);
    await second(await challenge(person), '000000');
    pass(1000);
    const { token } = (await second(await challenge(person), person.codeAt())).data;

    const { data } = await client.as(token).get('/adminapi/system/audit/mine');

    const shown = data.list.map(({ action, outcome }: Record<string, string>) => `${action} ${outcome}`);
    expect(shown.slice(0, 2)).toEqual(['system/login/second ok', 'system/login/second refused']);
  });
});
