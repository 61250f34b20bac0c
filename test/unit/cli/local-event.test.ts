import { expect, test } from '@jest/globals';
import type { FrameworkFunction } from '#cli/framework/framework.ts';
import { chooseEvent } from '#cli/framework/local-event.ts';

const define = (...events: FrameworkFunction['events']): FrameworkFunction => ({
  name: 'backend-local-f',
  handler: 'f.handler',
  events,
});
const route = define({ httpApi: { method: 'GET', path: '/things' } });
const listener = define({ stream: {} });
const job = define({ schedule: 'rate(1 hour)' });

const gatewayEvent = {
  rawPath: '/things',
  rawQueryString: '',
  headers: { host: 'localhost' },
  requestContext: { http: { method: 'GET', path: '/things', sourceIp: '127.0.0.1' } },
};

test.each([
  ['a route', route],
  ['the default route', define({ httpApi: '*' })],
  ['a job', job],
  ['a stream listener', listener],
])('the default event of %s passes as a given one', (_, invoked) => {
  const event = chooseEvent('f', invoked, '');

  expect(chooseEvent('f', invoked, event)).toEqual(event);
});

test('a given event is used as it is', () => {
  const records = { Records: [{ eventID: '1' }] };

  expect(chooseEvent('f', route, gatewayEvent)).toBe(gatewayEvent);
  expect(chooseEvent('f', listener, records)).toBe(records);
  expect(chooseEvent('f', job, { id: 'x' })).toEqual({ id: 'x' });
});

test.each([
  ['text that is not JSON', route, '{broken', /^The event is not a JSON object: \S.*$/],
  ['text for a job', job, 'broken', /^The event is not a JSON object: \S.*$/],
  ['an empty object', route, {}, /^f takes an event of API Gateway, payload format 2\.0: "\w+" is missing/],
  ['a list', route, [], /: this is no object$/],
  ['a text', route, '"text"', /: this is no object$/],
  ['null', route, null, /: this is no object$/],
  [
    'payload format 1.0',
    route,
    { ...gatewayEvent, requestContext: {}, httpMethod: 'GET' },
    /: "requestContext\.http" is missing, or of another type$/,
  ],
  [
    'a header with several values',
    route,
    { ...gatewayEvent, headers: { accept: ['a', 'b'] } },
    /: "headers\.accept" is missing, or of another type$/,
  ],
  ['a gateway event', listener, gatewayEvent, /^f takes an event of a DynamoDB stream: "Records" is missing/],
])('an event of another kind is refused in one line: %s', (_, invoked, data, message) => {
  expect(() => chooseEvent('f', invoked, data)).toThrow(message);
});
