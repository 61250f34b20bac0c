import { expect, test } from '@jest/globals';
import { outcome } from '../support/answers.ts';
import type { Answer } from '../support/client.ts';
import { useSharedServer } from '../support/use-server.ts';
import { createPhones, newMobile, password } from './user-fixture.ts';

const base = '/adminapi/system/admin';

const { server, client, admin } = useSharedServer();
const phones = createPhones(server, client);

const gist = (answer: Answer) => [outcome(answer), answer.errors];
const refusal = (message: string) => ['422 request.invalid', [{ path: 'body.password', message }]];
const common = 'This password is among the most common ones, which are guessed first: choose another one';
const repeated = 'This password repeats one part: choose another one';
const name = 'This password is the account or the mobile number: choose another one';
const english = { headers: { 'x-language': 'en' } };

const addAdmin = (account: string, secret = password) =>
  admin.post(`${base}/add`, { account, name: 'x', password: secret }, english);

test('an administrator gets no password that is easy to guess, and keeps the one before', async () => {
  const answers = [
    await addAdmin('weak.one', 'Password1'),
    await addAdmin('weak.one', '12121212'),
    await addAdmin('weak.one', 'WEAK.one-2026'),
  ];
  const { id } = (await addAdmin('weak.one')).data;
  const login = async () => client.post('/adminapi/system/login/account', { account: 'weak.one', password });
  const own = (await login()).data.token;
  const set = (secret: string) => admin.post(`${base}/password`, { id, password: secret }, english);
  const change = (secret: string, language = 'en') => {
    const body = { id, password: secret, old_password: password };
    return client.as(own).in(language).post(`${base}/password`, body);
  };
  answers.push(await set('iloveyou'), await set('weak.one!'));
  answers.push(await change('aaaaaaaa'), await change('weak.one1'));
  const chinese = await change('password', 'zh_CN');

  const refusals = [common, repeated, name, common, name, repeated, name].map(refusal);
  expect(answers.map(gist)).toEqual(refusals);
  expect(gist(chinese)).toEqual(refusal('该密码属于最常见的密码，最容易被猜到：请换一个'));
  expect((await login()).status).toBe(200);
  expect((await change('another horse battery')).status).toBe(200);
});

test('a user gets no password that is easy to guess, and its code is not used up', async () => {
  const mobile = newMobile();
  const code = await phones.askCode(mobile, 'register');
  const register = (secret: string) => {
    const body = { terminal: 3, mobile, code, password: secret };
    return client.post('/api/system/login/register', body, english);
  };
  const answers = [];
  // More often than a code may be tried.
  for (const secret of ['password1', 'abcabcabc', mobile, `+86${mobile}`, 'qwertyuiop', 'football'])
    answers.push(await register(secret));
  const { token: own } = (await register(password)).data;
  const change = (secret: string) => {
    const body = { old_password: password, password: secret };
    return client.as(own).post('/api/user-center/password/change', body, english);
  };
  answers.push(await change('sunshine'), await change(`${mobile}!`));
  const logIn = (secret: string) => phones.logIn({ scene: 'password', mobile, password: secret });

  const refusals = [common, repeated, name, name, common, common, common, name].map(refusal);
  expect(answers.map(gist)).toEqual(refusals);
  expect((await logIn(password)).status).toBe(200);
  expect((await change('another horse battery')).status).toBe(200);
  expect((await logIn('another horse battery')).status).toBe(200);
});
