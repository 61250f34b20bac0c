import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { createCaptchaChallenge } from '#modules/System/site/captcha.ts';
import { restoreItems, seedDictionary } from '#shared/dict/seed.ts';
import { editDictType, getDictType } from '#shared/dict/types.ts';
import { validFiles } from '../../fixtures/hostile/files.ts';
import { administrator } from '../../support/administrator.ts';
import type { FunctionAnswer, Functions } from '../../support/functions.ts';
import { consent, goodExchange, registration } from '../generate/oauth-bodies.ts';
import type { Things } from './things.ts';

const categories = {
  type_key: 'article_category',
  name: 'Categories',
  public: true,
  items: ['news', 'notice', 'help'].map((value) => ({ value, name: value })),
};

/** Creates records of every kind as clients do. */
export async function addRecords(functions: Functions, authorization = '', things: Things): Promise<void> {
  const post = async (path: string, body: object): Promise<FunctionAnswer> => {
    const headers = { 'content-type': 'application/json', authorization };
    const answer = await functions.call({ method: 'POST', path, headers, body: JSON.stringify(body) });
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${answer.body}`);
    things.learn(path, answer);
    return answer;
  };
  const dict = '/adminapi/system/setting/dict';
  for (const type_key of ['hostile_one', 'hostile_two']) {
    await post(`${dict}/type/add`, { type_key, name: type_key, enabled: true, public: true });
    for (const value of ['one', '007']) await post(`${dict}/data/add`, { type_key, value, name: value });
  }
  for (const type of ['image', 'video', 'file']) {
    await post('/adminapi/system/file/category/add', { type, name: type });
  }
  for (const category of ['news', 'help', 'notice']) {
    const content = '<p>text <img src="/storage/uploads/a.png"></p>';
    await post('/adminapi/article/article/add', { title: category, category, content });
  }
  await post('/adminapi/system/role/add', { name: 'readers', grants: ['article/article/list:read'] });
  await post('/adminapi/system/admin/token/add', {
    ...{ name: 'mine', scope: 'mcp:read', days: 1 },
    password: administrator.password,
  });
  const client = await post('/adminapi/system/oauth/client/add', registration);
  const { id } = JSON.parse(client.body.toString()).data;
  // Two codes are left for requests, a third one becomes tokens.
  for (let count = 0; count < 3; count += 1) {
    await post('/adminapi/system/oauth/approve', { ...consent, client_id: id });
  }
  await exchange(functions, things);
  for (const name of ['a.txt', 'b.pdf', 'c.png', 'd.svg'])
    await upload(functions, authorization, name, things);
  things.add('solved', await solveCaptcha());
}

/** Exchanges the last code. */
async function exchange(functions: Functions, things: Things): Promise<void> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const path = '/oauth/token';
  const answer = await functions.call({ method: 'POST', path, headers, body: things.fill(goodExchange) });
  if (answer.status !== 200) throw new Error(`the code was refused: ${answer.body}`);
  things.learn(path, answer);
}

async function upload(functions: Functions, authorization: string, name: string, things: Things) {
  const [, ext = ''] = name.split('.');
  const form = new FormData();
  form.set('type', ['png', 'svg'].includes(ext) ? 'image' : 'file');
  form.set('file', new File([Object(validFiles)[ext]], name));
  const sent = new Response(form);
  const headers = { 'content-type': sent.headers.get('content-type') ?? '', authorization };
  const path = '/adminapi/system/upload/file';
  const body = new Uint8Array(await sent.arrayBuffer());
  const answer = await functions.call({ method: 'POST', path, headers, body });
  if (answer.status !== 200) throw new Error(`${name} was refused: ${answer.body}`);
  things.learn(path, answer);
}

async function solveCaptcha(): Promise<string> {
  const challenge = await createCaptchaChallenge();
  const solution = await solveChallenge({ challenge, deriveKey });
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64');
}

/** Brings back the dictionary that articles are filed under. */
export async function restoreCategories(): Promise<void> {
  if (await seedDictionary(categories)) return;
  const { type_key, enabled, version } = await getDictType(categories.type_key);
  if (!enabled) await editDictType(type_key, version, { enabled: true });
  await restoreItems(categories);
}
