import { describe, expect, it } from '@jest/globals';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { behindEdge } from '#shared/http/edge.ts';
import { createEvent } from '../../../support/function-event.ts';
import { createContext } from './fake-request.ts';

const secret = 's'.repeat(32);
const visitor = '203.0.113.9';
const seen: APIGatewayProxyEventV2[] = [];
const inner = async (event: APIGatewayProxyEventV2) => {
  seen.push(event);
  return { statusCode: 200 };
};

async function call(headers: Record<string, string>, known: string | undefined = secret) {
  seen.length = 0;
  const event = createEvent({ method: 'GET', path: '/a', headers });
  const answer = await behindEdge(inner, known)(event, createContext());
  return { answer, event: seen[0] };
}

describe('a function behind CloudFront', () => {
  it('gets the address of the visitor, and no header of CloudFront', async () => {
    const { answer, event } = await call({
      accept: '*/*',
      'x-origin-secret': secret,
      'x-visitor-address': visitor,
      'x-forwarded-for': '198.51.100.1',
    });

    expect(answer).toEqual({ statusCode: 200 });
    expect(event?.requestContext.http.sourceIp).toBe(visitor);
    expect(event?.headers).toEqual({
      host: 'api.example.com',
      accept: '*/*',
      'x-forwarded-for': '198.51.100.1',
    });
  });

  it.each([
    ['without the secret', { 'x-visitor-address': visitor }],
    ['with another secret', { 'x-origin-secret': 't'.repeat(32), 'x-visitor-address': visitor }],
    ['with an empty secret', { 'x-origin-secret': '', 'x-visitor-address': visitor }],
    ['with a part of the secret', { 'x-origin-secret': secret.slice(1), 'x-visitor-address': visitor }],
    ['without an address', { 'x-origin-secret': secret }],
  ])('refuses a request %s', async (_name, headers) => {
    const { answer, event } = await call(headers);

    expect(answer).toEqual({ statusCode: 403, body: 'Forbidden' });
    expect(event).toBeUndefined();
  });

  it('takes either of two secrets while they are rotated, on both sides', async () => {
    const both = `${'n'.repeat(32)}, ${secret}`;

    const calls = [
      await call({ 'x-origin-secret': both, 'x-visitor-address': visitor }),
      await call({ 'x-origin-secret': secret, 'x-visitor-address': visitor }, both),
    ];

    expect(calls.map(({ answer }) => answer.statusCode)).toEqual([200, 200]);
  });

  it('refuses everything with an empty secret of its own', async () => {
    const { answer } = await call({ 'x-origin-secret': '', 'x-visitor-address': visitor }, '');

    expect(answer.statusCode).toBe(403);
  });

  it('is the function itself on a local server', () => {
    expect(behindEdge(inner, undefined)).toBe(inner);
  });
});
