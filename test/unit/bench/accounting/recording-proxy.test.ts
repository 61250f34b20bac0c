import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { countStreamCommands } from '../../../../bench/accounting/access.ts';
import { accountCache } from '../../../../bench/accounting/account-cache.ts';
import type { Recorder } from '../../../../bench/accounting/recording-proxy.ts';
import { startRecordingProxy, timeBeside } from '../../../../bench/accounting/recording-proxy.ts';
import type { Between } from '../../../support/functions.ts';
import { headers, startEngine, tableName as TableName } from './engine.ts';

const S = (text: string) => ({ S: text });
const key = (id: string) => ({ pk: S(id), sk: S(id) });
const entry = (id: string) => ({ ...key(id), gsi1pk: S('LIST'), gsi1sk: S(id) });

describe('a recording', () => {
  const recorder: Recorder = { spans: [] };
  let engine: Awaited<ReturnType<typeof startEngine>>;
  let proxy: Between;
  beforeAll(async () => {
    engine = await startEngine('dynoxide');
    proxy = await startRecordingProxy(engine.endpoint, recorder);
  }, 60_000);
  afterAll(async () => {
    await proxy.stop();
    await engine.stop();
  });

  async function record(operation: string, input: object) {
    recorder.open = { accesses: [], commands: 0 };
    const response = await fetch(proxy.url, {
      method: 'POST',
      headers: { ...headers, 'x-amz-target': `DynamoDB_20120810.${operation}` },
      body: JSON.stringify(input),
    });
    const answer: Record<string, unknown> = Object(await response.json());
    const { accesses } = recorder.open;
    recorder.open = undefined;
    return { status: response.status, answer, accesses };
  }

  test('names the partitions that a transaction writes, in the table and in its indexes', async () => {
    await record('PutItem', { TableName, Item: entry('changed') });
    const values = { ':label': S('new') };
    const changed = {
      Key: key('changed'),
      UpdateExpression: 'SET label = :label',
      ExpressionAttributeValues: values,
    };
    const checked = { Key: key('changed2'), ConditionExpression: 'attribute_not_exists(pk)' };
    const TransactItems = [
      { Put: { TableName, Item: key('plain') } },
      { Update: { TableName, ...changed } },
      { ConditionCheck: { TableName, ...checked } },
    ];

    const { accesses } = await record('TransactWriteItems', { TransactItems });

    const write = { readUnits: 0, writeUnits: 2 };
    expect(accesses).toEqual([
      { place: 'table', key: 'plain', ...write, isChange: true, transactionOn: 'plain plain' },
      { place: 'table', key: 'changed', ...write, isChange: true, transactionOn: 'changed changed' },
      { place: 'gsi1', key: 'LIST', ...write },
      { place: 'table', key: 'changed2', ...write, transactionOn: 'changed2 changed2' },
    ]);
  });

  test('counts a refused write, and hands the refusal on', async () => {
    await record('PutItem', { TableName, Item: entry('there') });
    const Put = { TableName, Item: entry('there'), ConditionExpression: 'attribute_not_exists(pk)' };

    const { status, accesses } = await record('TransactWriteItems', { TransactItems: [{ Put }] });

    expect(status).toBe(400);
    expect(accesses).toMatchObject([{ place: 'table', key: 'there', writeUnits: 2 }]);
  });

  test('counts reads of keys and of indexes', async () => {
    await record('PutItem', { TableName, Item: entry('read') });
    const Keys = [key('read'), key('nothing')];

    const one = await record('GetItem', { TableName, Key: key('read') });
    const many = await record('BatchGetItem', {
      RequestItems: { [TableName]: { Keys, ConsistentRead: true } },
    });
    const listed = await record('Query', {
      TableName,
      IndexName: 'gsi1',
      KeyConditionExpression: 'gsi1pk = :pk AND gsi1sk < :after',
      ExpressionAttributeValues: { ':pk': S('LIST'), ':after': S('~') },
    });

    expect(one.accesses).toEqual([{ place: 'table', key: 'read', readUnits: 0.5, writeUnits: 0 }]);
    expect(many.accesses.map((access) => [access.key, access.readUnits])).toEqual([
      ['read', 1],
      ['nothing', 1],
    ]);
    expect(listed.accesses).toEqual([{ place: 'gsi1', key: 'LIST', readUnits: 0.5, writeUnits: 0 }]);
    expect(Object(listed.answer).Items.length).toBeGreaterThan(0);
  });

  test('notes nothing while it is closed', async () => {
    const before = recorder.spans.length;
    const response = await fetch(proxy.url, {
      method: 'POST',
      headers: { ...headers, 'x-amz-target': 'DynamoDB_20120810.GetItem' },
      body: JSON.stringify({ TableName, Key: key('nothing') }),
    });

    expect([response.status, recorder.open]).toEqual([200, undefined]);
    expect(recorder.spans).toHaveLength(before + 1);
  });
});

describe('commands of the cache', () => {
  test('are also those that follow a change of what is cached', () => {
    const write = { place: 'table', readUnits: 0, writeUnits: 2 } as const;
    const keys = ['SESSION#a', 'USER#b', 'USER_LOGIN#b', 'COUNTER#USERS#1'];
    const accesses = keys.map((name) => ({ ...write, key: name, isChange: true }));
    const usage = { commands: 0, computeMs: 0, accesses: [...accesses, { ...write, key: 'USER#checked' }] };

    expect(countStreamCommands(usage)).toBe(4);
  });

  test('count one by one in a pipeline, with every key once, and a script as one', () => {
    const body = JSON.stringify([
      ['MGET', 'service:a', 'service:b'],
      ['EVALSHA', 'hash', '2', 'service:a', 'service:c', 'value'],
      ['PING'],
    ]);

    const { commands, accesses } = accountCache(body);

    expect(commands).toBe(2);
    expect(accesses.map(({ key: name }) => name)).toEqual(['service:a', 'service:b', 'service:c']);
  });

  test('count also alone', () => {
    expect(accountCache('["GET","service:a"]')).toMatchObject({
      commands: 1,
      accesses: [{ key: 'service:a' }],
    });
  });
});

test('the time beside requests leaves out every moment in which one was under way', () => {
  const spans = [
    { from: 10, to: 20 },
    { from: 15, to: 30 },
    { from: 50, to: 60 },
  ];

  expect(timeBeside(spans, 0, 100)).toBe(70);
  expect(timeBeside([], 5, 9)).toBe(4);
  // One that was answered after the end.
  expect(timeBeside([{ from: 5, to: 200 }], 0, 100)).toBe(5);
});
