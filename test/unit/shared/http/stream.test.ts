import '../../../support/environment.ts';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import type { DynamoDBRecord } from 'aws-lambda';
import { streamHandler } from '#shared/http/background.ts';
import { log } from '#shared/log/log.ts';
import { defineStreamListener } from '#shared/module/module.ts';
import type { Key } from '../../../support/keys.ts';
import { createContext } from './fake-request.ts';

const context = createContext('request-1');

const record = (pk: string, sk: string): DynamoDBRecord => ({
  eventID: `${pk} ${sk}`,
  eventName: 'MODIFY',
  dynamodb: { Keys: { pk: { S: pk }, sk: { S: sk } }, SequenceNumber: '1', StreamViewType: 'KEYS_ONLY' },
});

afterEach(() => {
  jest.restoreAllMocks();
});

function createHandler(handle = async (_changed: readonly Key[], _cached?: unknown) => ({})) {
  const spy = jest.fn(handle);
  const listener = defineStreamListener({ prefixes: ['A#'], maxAgeSeconds: 60, handle: spy });
  return { spy, handler: streamHandler(listener, { name: 'test' }) };
}

describe('streamHandler', () => {
  test('passes the changed keys to the listener', async () => {
    const { spy, handler } = createHandler();

    await handler({ Records: [record('A#1', 'x'), record('A#2', 'y')] }, context);

    const changed = [
      { pk: 'A#1', sk: 'x' },
      { pk: 'A#2', sk: 'y' },
    ];
    expect(spy).toHaveBeenCalledWith(changed, []);
  });

  test('passes items that TTL has deleted', async () => {
    const { spy, handler } = createHandler();
    const expired: DynamoDBRecord = {
      ...record('A#1', 'x'),
      eventName: 'REMOVE',
      userIdentity: { type: 'Service', principalId: 'dynamodb.amazonaws.com' },
    };

    await handler({ Records: [expired] }, context);

    expect(spy).toHaveBeenCalledWith([{ pk: 'A#1', sk: 'x' }], []);
  });

  test('skips records without keys', async () => {
    const warn = jest.spyOn(log, 'warn').mockImplementation(() => {});
    const { spy, handler } = createHandler();
    const malformed: DynamoDBRecord[] = [
      {},
      { eventID: 'bare', dynamodb: {} },
      { dynamodb: { Keys: { pk: { S: 'A#1' } } } },
      { dynamodb: { Keys: { pk: { N: '1' }, sk: { S: 'x' } } } },
    ];

    await handler({ Records: [...malformed, record('A#1', 'x')] }, context);

    expect(spy).toHaveBeenCalledWith([{ pk: 'A#1', sk: 'x' }], []);
    expect(warn).toHaveBeenCalledTimes(4);
    expect(warn).toHaveBeenCalledWith('stream.record_without_keys', { event_id: 'bare' });
  });

  test('logs the outcome', async () => {
    const info = jest.spyOn(log, 'info').mockImplementation(() => {});
    const { handler } = createHandler(async () => ({ cleared: 1 }));

    await handler({ Records: [record('A#1', 'x')] }, context);

    const fields = { request_id: 'request-1', function: 'test', records: 1, cleared: 1 };
    expect(info).toHaveBeenCalledWith('stream', fields);
  });

  test('logs a failure and throws it, so that Lambda sends the records again', async () => {
    const write = jest.spyOn(log, 'error').mockImplementation(() => {});
    const failure = new Error('on purpose');
    const { handler } = createHandler(() => Promise.reject(failure));

    await expect(handler({ Records: [record('A#1', 'x')] }, context)).rejects.toBe(failure);

    const fields = { request_id: 'request-1', function: 'test', error: failure };
    expect(write).toHaveBeenCalledWith('stream.failed', fields);
  });
});
