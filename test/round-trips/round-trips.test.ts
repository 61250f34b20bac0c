import './patient-stores.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createPermissionTable } from '#functions/discover/permissions.ts';
import { findLogin } from '#shared/http/gates.ts';
import { type RoundTrips, readBudgetFile, writeBudgetFile } from '../../cli/package/budgets/budget-file.ts';
import { readRoles } from '../support/function-roles.ts';
import { type Functions, startFunctions } from '../support/functions.ts';
import { projectRoot } from '../support/local-server.ts';
import { createRoleHolder } from '../support/role-holder.ts';
import { discoverShipped, listFunctionNames } from '../support/shipped-modules.ts';
import { cachedReads, databaseReads, logins, readsBesideGates } from './bounds.ts';
import { listExcess, listFalls, listRises, toRoundTrips, updateCommand } from './budget.ts';
import { createCaller, createKit, type Kit } from './kit.ts';
import { measure, type Travels } from './measure.ts';
import { events, functionOf, requests } from './scenarios.ts';
import { startStoreProxy } from './store-proxy.ts';
import { createWaves, type Recording } from './waves.ts';

const scenarios = [...Object.keys(requests), ...Object.keys(events)].sort();
const recorded: Record<string, RoundTrips | undefined> = readBudgetFile(projectRoot).roundTrips;
const isUpdate = process.env.ROUND_TRIPS === 'update';
const measured = new Map<string, Travels>();
const waves = createWaves();

let functions: Functions;
let kit: Kit;

beforeAll(async () => {
  const between = (url: string) => startStoreProxy(url, waves);
  const roles = await readRoles();
  functions = await startFunctions({ roles, betweenDatabase: between, betweenCache: between });
  kit = await createKit(functions);
}, 600_000);

afterAll(async () => {
  waves.stop();
  await kit?.stop();
  await functions?.stop();
  const falls = [...measured].flatMap(([name, travels]) => listFalls(name, travels, recorded[name]));
  if (!isUpdate && falls.length > 0) console.warn(`${falls.join('\n')}\nRecord it: ${updateCommand}`);
  // A partial or failed run would lose the other records.
  if (isUpdate && measured.size === scenarios.length) {
    const lines = [...measured].map(([name, travels]) => [name, toRoundTrips(travels)]);
    writeBudgetFile(projectRoot, { ...readBudgetFile(projectRoot), roundTrips: Object.fromEntries(lines) });
  }
});

test('every function has a scenario', async () => {
  const shipped = listFunctionNames(await discoverShipped());
  const named = [...new Set(scenarios.map(functionOf))];

  expect(shipped.filter((name) => !named.includes(name))).toEqual([]);
  // Functions of other modules may have scenarios too.
  expect(named.filter((name) => !listFunctionNames(functions.manifest).includes(name))).toEqual([]);
});

test.each(scenarios)('%s travels as recorded, and leaves nothing behind', async (name) => {
  const travels = await measure(kit, waves, name);
  measured.set(name, travels);

  for (const { unawaited, timers } of [travels.hit, travels.miss]) {
    expect({ unawaited, timers }).toEqual({ unawaited: [], timers: [] });
  }
  const rises = isUpdate ? [] : listRises(name, travels, recorded[name]);
  expect(rises.join('\n')).toBe('');
});

test('every record has a scenario', () => {
  expect(Object.keys(recorded).filter((name) => !isUpdate && !scenarios.includes(name))).toEqual([]);
});

test('functions that answer GET write only sessions, and the audit log if it names reads: their role allows no more', () => {
  const reads = functions.manifest.routes.filter(({ route }) => route.method === 'GET');
  const requested = reads
    .flatMap(({ functionName }) => scenarios.filter((name) => functionOf(name) === functionName))
    .flatMap((name) => listRequests(name).map((request) => `${name} ${request}`));
  const allowed = / (?:cache: |database: (?:GetItem|BatchGetItem|Query|(?:UpdateItem|DeleteItem) SESSION#))/;
  const audited = reads.filter(({ route }) => route.audit === 'read').map(({ functionName }) => functionName);
  const isEntry = (line: string) =>
    audited.some((name) => line.startsWith(`${name} database: TransactWriteItems Put AUDIT#`)) &&
    !line.includes(', ');

  expect(requested.filter((line) => !allowed.test(line) && !isEntry(line))).toEqual([]);
  expect(requested.join()).toContain('system-api-login-logout database: DeleteItem SESSION#');
  // These throttles write to the table while the cache is unavailable.
  const counting = reads.flatMap(({ throttles }) =>
    throttles.filter(({ throttle }) => throttle.fallback === 'table'),
  );
  expect(counting).toEqual([]);
});

const listRequests = (name: string): string[] => {
  const { hit, miss } = measured.get(name) ?? {};
  return [hit, miss].flatMap((recording) => recording?.waves.flat() ?? []);
};

describe('with everything cached', () => {
  const excessOf = (name: string, bound: { trips: number; requests?: number }) => {
    const travels = measured.get(name);
    return travels ? listExcess(name, travels.hit, bound).join('\n') : 'was not measured';
  };

  test.each(cachedReads)('%s takes one round trip, of at most two requests', (name) => {
    expect(excessOf(name, { trips: 1, requests: 2 })).toBe('');
  });

  test.each(readsBesideGates)('%s takes one round trip', (name) => {
    expect(excessOf(name, { trips: 1 })).toBe('');
  });

  test.each(databaseReads)('%s takes at most two round trips', (name) => {
    expect(excessOf(name, { trips: 2 })).toBe('');
  });

  test.each(logins)('%s takes at most three round trips', (name) => {
    expect(excessOf(name, { trips: 3 })).toBe('');
  });
});

describe('an administrator with a role', () => {
  /** IDs, hashes, the times that begin IDs, and names that scenarios make up. */
  const ownWord = /[\w-]{24,}|\b[0-9A-HJKMNP-TV-Z]{10}\b|\bt[a-j]{9}\b/g;
  const format = ({ waves: all }: Recording) =>
    all.map((wave) => wave.map((text) => text.replaceAll(ownWord, '…')).sort());

  test('asks the stores for the same as a super administrator, with everything cached', async () => {
    const { permissions } = createPermissionTable(functions.manifest);
    const holder = await createRoleHolder(permissions.map(({ path }) => `${path}:write`));
    const [, token] = (await holder.logIn()).split(' ');
    const kitOfHolder: Kit = { ...kit, admin: createCaller(token) };
    const reads = functions.manifest.routes
      .filter(({ route }) => route.method === 'GET' && findLogin(route)?.takesPermission)
      .flatMap(({ functionName }) => scenarios.filter((name) => functionOf(name) === functionName))
      // A token is made with a password, which this administrator does not have.
      .filter((name) => !name.endsWith(' token'));
    const asked: Record<string, string[][]> = {};
    const expected: Record<string, string[][] | undefined> = {};
    for (const name of reads) {
      const travels = measured.get(name);
      expected[name] = travels && format(travels.hit);
      asked[name] = format((await measure(kitOfHolder, waves, name)).hit);
    }

    expect(asked).toEqual(expected);
    expect(reads.length).toBeGreaterThan(20);
  }, 120_000);

  test('costs one more key in the command that reads the login', () => {
    const recording = measured.get('system-admin-ai-mcp-tools')?.hit;

    const ofSession = 'service:session:… service:session-generation:…';
    const ofAdmin = 'service:principal:admin:… service:principal-generation:admin:…';
    expect(recording && format(recording)).toEqual([
      [`cache: mget ${ofSession} ${ofAdmin} service:role-generation`],
    ]);
  });
});
