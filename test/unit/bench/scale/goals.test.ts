import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { currentCost } from '#shared/auth/password.ts';
import { type Recorded, recordScenarios } from '../../../../bench/accounting/record.ts';
import { goals } from '../../../../bench/scale/mix.ts';
import { listMissed } from '../../../../bench/scale/render-scale.ts';

const names = [...new Set(goals.flatMap(({ parts }) => Object.keys(parts)))];
const cost = { ...currentCost };
let recorded: Recorded[];

beforeAll(async () => {
  // How long a password takes to hash is no matter of the keys.
  Object.assign(currentCost, { ln: 4, p: 1 });
  recorded = await recordScenarios({ names, isBusy: true });
}, 120_000);
afterAll(() => void Object.assign(currentCost, cost));

test('no key is too hot for 5,000 logins, 2,000 new users and 2,000 uploads a second', () => {
  expect(recorded.map(({ scenario }) => scenario)).toEqual([...names].sort());
  expect(listMissed(recorded.map((each) => ({ ...each, billedMs: 1 })))).toEqual([]);
});

test('a login writes no index but the list of the own sessions', () => {
  const logins = recorded.filter(({ scenario }) => /login-account( sms)?$/.test(scenario));

  expect(logins).toHaveLength(2);
  for (const { hit } of logins) {
    const writes = hit.accesses.filter(({ writeUnits }) => writeUnits > 0);
    expect(writes.filter(({ place, key }) => place !== 'table' && !key.startsWith('SESSION#user#'))).toEqual(
      [],
    );
    expect(writes.some(({ key }) => key.startsWith('USER_LOGIN#'))).toBe(true);
  }
});
