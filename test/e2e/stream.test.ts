import { describe, expect, test } from '@jest/globals';
import { findStack } from '#cli/local/data-directory.ts';
import { createEngineRequest } from '#cli/local/stream/table-stream.ts';
import { eventually } from '../support/eventually.ts';
import { type Key, keys } from '../support/keys.ts';
import { useSharedServer } from '../support/use-server.ts';

const dictionary = '/adminapi/system/setting/dict';
const admins = '/adminapi/system/admin';

const { server, client, admin } = useSharedServer();

/** Sends a request to the server's database, as a script outside the service would. */
async function writeDirectly(operation: string, key: Key, input: object = {}): Promise<void> {
  const { DYNAMODB_ENDPOINT = '', TABLE_NAME } = findStack(server.dataDir) ?? {};
  const Key = { pk: { S: key.pk }, sk: { S: key.sk } };
  const request = createEngineRequest(DYNAMODB_ENDPOINT);
  await request(`DynamoDB_20120810.${operation}`, { TableName: TABLE_NAME, Key, ...input });
}

/** Sets an attribute of an item to a text. */
const set = (key: Key, name: string, value: string) =>
  writeDirectly('UpdateItem', key, {
    UpdateExpression: 'SET #name = :value',
    ExpressionAttributeNames: { '#name': name },
    ExpressionAttributeValues: { ':value': { S: value } },
  });

const remove = (key: Key) => writeDirectly('DeleteItem', key);

async function post(path: string, body: unknown): Promise<unknown> {
  const answer = await admin.post(path, body);
  expect(answer.status).toBe(200);
  return answer.data;
}

/** Reads until the cache is filled: a fill is sent with the next request. */
async function warm<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  await ask();
  return ask();
}

describe('a change made directly in the database', () => {
  test('is served fresh after the stream event: a dictionary item', async () => {
    await post(`${dictionary}/type/add`, { type_key: 'direct', name: 'x', enabled: true, public: true });
    await post(`${dictionary}/data/add`, { type_key: 'direct', value: 'n', name: 'old' });
    const ask = async () => (await client.get('/api/system/config/dict?map=0&type=direct')).data;
    const names = [await warm(ask)];

    await set(keys.dictItem('direct', 'n'), 'name', 'new');
    names.push(await eventually(ask, (map) => Object(map).n === 'new'));
    await remove(keys.dictItem('direct', 'n'));
    names.push(await eventually(ask, (map) => !Object.hasOwn(Object(map), 'n')));

    expect(names).toEqual([{ n: 'old' }, { n: 'new' }, {}]);
  });

  test('is served fresh after the stream event: the status of the site', async () => {
    const ask = async () => (await client.get('/api/system/config/dict?type=direct')).status;
    const statuses = [await warm(ask)];

    await set(keys.config('basics', 'sys_status'), 'value', 'off');
    statuses.push(await eventually(ask, (status) => status === 503));
    await remove(keys.config('basics', 'sys_status'));
    statuses.push(await eventually(ask, (status) => status === 200));

    expect(statuses).toEqual([200, 503, 200]);
  });

  test('is served fresh after the stream event: an administrator', async () => {
    const account = { account: 'second', password: 'correct horse battery' };
    const { id } = Object(await post(`${admins}/add`, { ...account, name: 'x' }));
    const login = await client.post('/adminapi/system/login/account', account);
    const own = login.data.token;
    const ask = async () => (await client.get(`${admins}/info`, { token: own })).code;
    const codes = [await warm(ask)];

    await set(keys.admin(id), 'status', 'disabled');
    codes.push(await eventually(ask, (code) => code !== 'ok'));
    await set(keys.admin(id), 'status', 'enabled');
    codes.push(await eventually(ask, (code) => code === 'ok'));

    expect(codes).toEqual(['ok', 'auth.principal_disabled', 'ok']);
  });
});
