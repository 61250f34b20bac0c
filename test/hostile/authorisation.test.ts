import '../support/environment.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { root } from '#cli/project.ts';
import { type FoundRoute, listMethods } from '#functions/model.ts';
import type { FunctionAnswer } from '../support/functions.ts';
import { useFunctions } from '../support/use-functions.ts';
import { callerNames, callers } from './authorisation/callers.ts';
import { type CountingProxy, startCountingProxy } from './authorisation/counting-proxy.ts';
import { audienceOf, expectationOf, openRoutes, passes, rules } from './authorisation/rules.ts';
import { fittingRequest, listOperations } from './generate/requests.ts';
import { type HostileRequest, readBody } from './request.ts';

let database: CountingProxy | undefined;
let fitting: Map<string, HostileRequest>;

const { functions } = useFunctions({
  login: false,
  betweenDatabase: async (url) => {
    database = await startCountingProxy(url);
    return database;
  },
});

beforeAll(() => {
  const document = JSON.parse(readFileSync(join(root, '.build', 'openapi', 'en.json'), 'utf8'));
  const sampled = listOperations(document).map((operation): [string, HostileRequest] => {
    const [request] = fc.sample(fittingRequest(operation), { numRuns: 1, seed: 1 });
    if (!request) throw new Error(`nothing fits ${operation.path}`);
    return [`${operation.method} ${operation.path}`, request];
  });
  fitting = new Map(sampled);
});

/** A way to ask a route. */
interface Ask {
  name: string;
  found: FoundRoute;
  method: string;
}

const listAsks = (): Ask[] =>
  functions.manifest.routes.flatMap((found) =>
    listMethods(found).map((method) => ({ name: `${method} ${found.path}`, found, method })),
  );

const pathOf = (found: FoundRoute): string => found.path.replace(/\{\w+\+\}/, 'uploads/file/none.txt');

/** Asks with a body that cannot be read. */
function askBadly({ found, method }: Ask, authorization: string | undefined): Promise<FunctionAnswer> {
  const headers = { 'content-type': 'application/json', ...(authorization && { authorization }) };
  const body = method === 'POST' ? '{"broken' : undefined;
  return functions.call({ method, path: pathOf(found), query: 'limit=x&type=%', headers, body });
}

/** Sends a request with the input that the description of the route allows. */
function askWell({ found, name, method }: Ask, authorization: string | undefined): Promise<FunctionAnswer> {
  const request = fitting.get(name.replace('+}', '}'));
  if (!request) throw new Error(`${name} is not in the document`);
  const headers = { ...request.headers, ...(authorization && { authorization }) };
  const body = readBody(request, (text) => text);
  return functions.call({ method, path: pathOf(found), query: request.query, headers, body });
}

/** How an answer judges who asked. */
function judge({ status, body, headers }: FunctionAnswer): string {
  if (status !== 401 && status !== 403) return passes;
  const { code } = JSON.parse(body.toString());
  // Wrong credentials in a body are the handler's own refusal.
  return /^auth\.(credentials|code)_/.test(code)
    ? passes
    : `${status} ${code}${nameChallenge(status, headers)}`;
}

const nameChallenge = (status: number, headers: Record<string, string>): string =>
  status !== 401 || /^Bearer\b/.test(headers['www-authenticate'] ?? '') ? '' : ' without a challenge';

describe.each(callerNames)('%s', (caller) => {
  test('is judged at every route as the rules say, with any body', async () => {
    const expected: Record<string, string> = {};
    const found: Record<string, string> = {};
    const authorization = await callers[caller]();
    for (const ask of listAsks()) {
      const expectedHere = expectationOf(ask.found, caller);
      expected[ask.name] = expectedHere;
      // Each accepted request uses a new login: the route may be the logout.
      const isLetIn = audienceOf(ask.found) in rules[caller] && expectedHere === passes;
      found[ask.name] = judge(await askBadly(ask, isLetIn ? await callers[caller]() : authorization));
    }

    expect(found).toEqual(expected);
    expect(Object.keys(found).length).toBeGreaterThan(70);
  });

  test('changes nothing if it is refused', async () => {
    const authorization = await callers[caller]();
    const refused = listAsks().filter(({ found }) => expectationOf(found, caller) !== passes);
    // The first use of an API token is recorded, then none for an hour.
    for (const ask of refused.slice(0, 1)) await askWell(ask, authorization);
    const writesBefore = database?.writes();
    const judged: Record<string, string> = {};
    for (const ask of refused) judged[ask.name] = judge(await askWell(ask, authorization));

    const expected = refused.map(({ name, found }) => [name, expectationOf(found, caller)]);
    expect(judged).toEqual(Object.fromEntries(expected));
    expect(database?.writes()).toBe(writesBefore);
  });
});

test('no other routes are open than those that have to be', () => {
  const open = listAsks().filter(({ found }) => ['open', 'guest'].includes(audienceOf(found)));

  expect(open.map(({ name }) => name).sort()).toEqual([...openRoutes].sort());
});

test('a login that is good is let through to the handler', async () => {
  const { body } = await functions.call({
    method: 'GET',
    path: '/adminapi/system/admin/info',
    headers: { authorization: (await callers['a super administrator']()) ?? '' },
  });

  expect(JSON.parse(body.toString())).toMatchObject({ code: 'ok', data: { name: 'Caller' } });
});

test('the proxy would have seen a write', async () => {
  const writesBefore = database?.writes() ?? 0;

  await callers['a super administrator']();

  expect(database?.writes()).toBeGreaterThan(writesBefore);
});
