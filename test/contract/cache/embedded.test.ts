import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { startUpstashEndpoint } from '../../../cli/local/upstash/start-upstash-endpoint.ts';
import { createSender, send } from './protocol-client.ts';
import { describeUpstashProtocol } from './upstash-protocol.contract.ts';

async function start() {
  const token = randomUUID();
  return { token, ...(await startUpstashEndpoint({ token })) };
}

describeUpstashProtocol('Upstash endpoint over the store in memory', start);

test('keeps the data of two endpoints apart', async () => {
  const [first, second] = await Promise.all([start(), start()]);
  const key = randomUUID();

  await createSender(() => first)('/', ['SET', key, 'v']);

  const answer = await createSender(() => second)('/', ['GET', key]);
  expect(answer.body).toEqual({ result: null });
  await Promise.all([first.stop(), second.stop()]);
});

test('refuses connections once it is stopped, and can be stopped with idle ones open', async () => {
  const endpoint = await start();
  const headers = { authorization: `Bearer ${endpoint.token}` };
  // fetch keeps its connection open after the answer.
  await (await fetch(endpoint.url, { method: 'POST', body: '["PING"]', headers })).json();

  await endpoint.stop();

  await expect(send(endpoint.url, { body: '["PING"]', headers })).rejects.toThrow(/ECONNREFUSED/);
});

test('reports that its port is in use', async () => {
  const first = await start();
  const port = Number(new URL(first.url).port);

  await expect(startUpstashEndpoint({ port, token: 'other' })).rejects.toThrow(/EADDRINUSE/);

  await first.stop();
});
