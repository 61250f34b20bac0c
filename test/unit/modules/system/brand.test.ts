import '../../../support/environment.ts';
import { afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import * as z from 'zod/mini';
import type * as Site from '#modules/System/site/brand.ts';
import type * as Environment from '#shared/config/environment.ts';
import type * as Store from '#shared/settings/store.ts';
import { stopTime } from '../../../support/fake-time.ts';

const place: { isDeployed: boolean; metricsTarget?: { namespace: string; stage: string } } = {
  isDeployed: false,
};
const readSettings = jest.fn(async () => ({ name: 'Shop', logo: 'storage/a.png', icon: '', colour: '' }));
jest.mock('#shared/settings/store.ts', () => ({
  ...jest.requireActual<typeof Store>('#shared/settings/store.ts'),
  readSettings: () => readSettings(),
}));
jest.mock('#shared/config/environment.ts', () => {
  const actual = jest.requireActual<typeof Environment>('#shared/config/environment.ts');
  return { ...actual, environment: () => ({ ...actual.environment(), metricsTarget: undefined, ...place }) };
});

let site: typeof Site;
beforeAll(async () => {
  stopTime();
  site = await import('#modules/System/site/brand.ts');
});
// The brand of the test before is old.
beforeEach(() => {
  jest.advanceTimersByTime(60_000);
});
afterEach(() => {
  jest.clearAllMocks();
  Object.assign(place, { isDeployed: false, metricsTarget: undefined });
});

describe('readBrand', () => {
  test('answers pictures by their public addresses', async () => {
    const { logo, icon } = await site.readBrand();

    expect([logo, icon]).toEqual([expect.stringMatching(/^https?:\/\/.*\/storage\/a\.png$/), '']);
  });

  test('reads at most once a minute, and again after a save', async () => {
    await Promise.all([site.readBrand(), site.readBrand()]);
    jest.advanceTimersByTime(59_999);
    await site.readBrand();
    expect(readSettings).toHaveBeenCalledTimes(1);
    site.brand.onSaved?.();
    await site.readBrand();
    expect(readSettings).toHaveBeenCalledTimes(2);
    jest.advanceTimersByTime(60_000);
    await site.readBrand();
    expect(readSettings).toHaveBeenCalledTimes(3);
  });

  test('is empty if the settings cannot be read: the console must open', async () => {
    readSettings.mockRejectedValueOnce(new Error('away'));

    expect(await site.readBrand()).toEqual({ name: '', logo: '', icon: '', colour: '', stage: 'local' });
  });

  test.each([
    [{ isDeployed: false }, 'local'],
    [{ isDeployed: true, metricsTarget: { namespace: 'shop', stage: 'dev' } }, 'dev'],
    [{ isDeployed: true, metricsTarget: { namespace: 'shop', stage: 'prod' } }, ''],
    [{ isDeployed: true }, ''],
  ])('names the stage if operators should be warned of it: %j', async (given, stage) => {
    Object.assign(place, given);

    expect(await site.readBrand()).toMatchObject({ stage });
  });
});

describe('the settings of the brand', () => {
  test.each([
    ['colour', '#AbCdEf ', '#abcdef'],
    ['colour', '', ''],
    ['name', ' Shop ', 'Shop'],
    ['logo', 'storage/a.png', 'storage/a.png'],
    ['icon', '', ''],
  ] as const)('take a value', (key, value, stored) => {
    expect(z.parse(site.brand.keys[key].schema, value)).toBe(stored);
  });

  test.each([
    ['colour', 'red'],
    ['colour', '#abc'],
    ['colour', '#abcdef;'],
    ['colour', '#abcdeg'],
    ['name', 'x'.repeat(41)],
    ['logo', 'javascript:alert(1)'],
    ['icon', `https://a.test/${'x'.repeat(500)}`],
  ] as const)('refuse another value', (key, value) => {
    expect(z.safeParse(site.brand.keys[key].schema, value).success).toBe(false);
  });
});
