import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { findDynoxide } from '#cli/local/dynamodb/dynoxide.ts';
import { cleanUpUploads } from '#modules/System/files/uploads/clean-up.ts';
import { type GuestRules, readSpentBytes, toGuestShare } from '#modules/System/files/uploads/guest-budget.ts';
import { uploadForm } from '#modules/System/files/uploads/upload-form.ts';
import { validateUpload } from '#modules/System/files/uploads/upload-rules.ts';
import { ReceivedFile } from '#shared/schema/received-file.ts';
import { engines } from '#shared/storage/engines.ts';
import { createMemoryEngine, unreachable } from '../../../../doubles/memory-engine.ts';
import { outcomesOf, useDatabase } from '../../../../support/database.ts';

const engine = createMemoryEngine('local');
Object.assign(engines.local, { open: async () => engine, assertReady: async () => {} });
useDatabase(findDynoxide() ? 'dynoxide' : 'dynamodb-local');

const limits = { image: 1000, video: 1000, file: 1000 };
const some: GuestRules = { allowed: 'all', addressBytes: 1000, siteBytes: 100_000 };
const settings = (guests: GuestRules) => ({ limits, guests, defaultEngine: 'local', stripsLocation: true });

function upload(bytes: number, address: string, rules = some, name = 'a.txt', type = 'file') {
  const file = new ReceivedFile(name, Buffer.alloc(bytes, 'a'));
  const origin = { cid: null, module: '', tag: '', uploader: { kind: 'guest', id: null } } as const;
  return uploadForm({ type, file, ...origin, guestAddress: address }, settings(rules));
}

const storedBytes = () => [...engine.objects.values()].reduce((sum, { length }) => sum + length, 0);
const spentBy = async (address: string) => (await readSpentBytes(toGuestShare(address)))[0];
const spentBySite = async () => (await readSpentBytes(toGuestShare('192.0.2.0')))[1] ?? 0;

let addresses = 0;
/** An address that no test has used. */
const newAddress = () => `10.0.${Math.floor(addresses / 250)}.${(addresses++ % 250) + 1}`;

beforeEach(() => {
  engine.objects.clear();
  engine.before = () => {};
});

describe('the budget of a guest', () => {
  test('is taken to the byte, and no further', async () => {
    const address = newAddress();

    const outcomes = await outcomesOf([upload(600, address)]);
    outcomes.push(...(await outcomesOf([upload(401, address)])));
    outcomes.push(...(await outcomesOf([upload(400, address), upload(1, newAddress())])));

    expect(outcomes).toEqual(['done', 'upload.quota_exceeded', 'done', 'done']);
    expect(await spentBy(address)).toBe(1000);
    expect(storedBytes()).toBe(1001);
  });

  test('is never exceeded by uploads at the same time, and failed ones give their bytes back', async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 12 });
    // Which puts fail, by their order.
    const failing = fc.array(fc.boolean(), { minLength: 12, maxLength: 12 });

    await fc.assert(
      fc.asyncProperty(sizes, failing, fc.integer({ min: 1, max: 3 }), async (bytes, fails, people) => {
        const own = Array.from({ length: people }, newAddress);
        const siteBefore = await spentBySite();
        const rules = { ...some, siteBytes: siteBefore + 1500 };
        engine.objects.clear();
        let puts = 0;
        engine.before = (operation) => {
          if (operation === 'put' && fails[puts++ % fails.length]) throw unreachable();
        };

        const outcomes = await outcomesOf(
          bytes.map((size, index) => upload(size, own[index % people] ?? '', rules)),
        );

        const spent = await Promise.all(own.map(spentBy));
        const stored = own.map((_address, place) =>
          bytes.reduce(
            (sum, size, index) => sum + (index % people === place && outcomes[index] === 'done' ? size : 0),
            0,
          ),
        );
        expect(spent.map(Number)).toEqual(stored);
        expect(Math.max(...stored)).toBeLessThanOrEqual(1000);
        expect(storedBytes()).toBe(stored.reduce((sum, each) => sum + each, 0));
        expect(storedBytes()).toBeLessThanOrEqual(1500);
        expect(await spentBySite()).toBe(siteBefore + storedBytes());
        const codes = ['done', 'upload.quota_exceeded', 'storage.unavailable'];
        expect(outcomes.filter((code) => !codes.includes(code))).toEqual([]);
      }),
      { numRuns: 25 },
    );
  }, 60_000);

  test('is one for all addresses of an IPv6 network of a subscriber', async () => {
    const outcomes = await outcomesOf([upload(900, '2001:db8:1:2::1')]);
    outcomes.push(
      ...(await outcomesOf([upload(200, '2001:db8:1:2:ffff::9'), upload(200, '2001:db8:1:3::1')])),
    );

    expect(outcomes).toEqual(['done', 'upload.quota_exceeded', 'done']);
  });

  test('is that of the site for all addresses together', async () => {
    const rules = { ...some, siteBytes: (await spentBySite()) + 1000 };
    const first = newAddress();

    const outcomes = await outcomesOf([upload(600, first, rules)]);
    outcomes.push(...(await outcomesOf([upload(600, newAddress(), rules)])));

    expect(outcomes).toEqual(['done', 'upload.quota_exceeded']);
  });

  test('is refused at once for a file that is larger than the whole budget', async () => {
    const rules = { ...some, addressBytes: 10 };

    expect(await outcomesOf([upload(11, newAddress(), rules)])).toEqual(['upload.quota_exceeded']);
  });

  test('begins again with the day of the configured time zone', async () => {
    const address = newAddress();
    await upload(1000, address);
    // In Asia/Shanghai it is the next day 8 hours before UTC.
    const share = toGuestShare(address);
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'setTimeout'] });
    jest.setSystemTime(Date.parse(`${share.day}T16:00:00Z`));

    const refused: unknown = await upload(1, address).catch((error: unknown) => error);
    const next = toGuestShare(address).day;
    jest.setSystemTime(Date.parse(`${share.day}T15:59:00Z`));
    const late: unknown = await upload(1, address).catch((error: unknown) => error);
    jest.useRealTimers();

    expect(Date.parse(next) - Date.parse(share.day)).toBe(86_400_000);
    expect(refused).toMatchObject({ size: 1 });
    expect(late).toMatchObject({
      code: 'upload.quota_exceeded',
      status: 429,
      headers: { 'retry-after': '60' },
    });
  });

  test('gets its bytes back from the clean-up if the engine could not be reached', async () => {
    const address = newAddress();
    engine.before = () => {
      throw unreachable();
    };

    expect(await outcomesOf([upload(700, address)])).toEqual(['storage.unavailable']);
    expect(await spentBy(address)).toBe(700);

    engine.before = () => {};
    const now = new Date(Date.now() + 3_600_000);
    await Promise.all([cleanUpUploads({ now }), cleanUpUploads({ now })]);

    expect(await spentBy(address)).toBe(0);
    expect(await outcomesOf([upload(1000, address)])).toEqual(['done']);
  });

  test('is kept by the clean-up for a file that is recorded', async () => {
    const address = newAddress();
    await upload(700, address);

    await cleanUpUploads({ now: new Date(Date.now() + 3_600_000) });

    expect(await spentBy(address)).toBe(700);
  });
});

describe('a check before the upload', () => {
  const check = (type: string, sizeBytes: number, address: string | undefined, rules = some) =>
    validateUpload({ type, name: type === 'image' ? 'a.png' : 'a.txt', sizeBytes }, settings(rules), address);

  test('answers as the upload would', async () => {
    const address = newAddress();
    await upload(800, address);

    expect(
      await outcomesOf([
        check('file', 200, address),
        check('file', 201, address),
        check('file', 201, undefined),
        check('file', 1, newAddress(), { ...some, allowed: 'image' }),
        check('file', 1, undefined, { ...some, allowed: 'off' }),
      ]),
    ).toEqual(['done', 'upload.quota_exceeded', 'done', 'upload.guest_denied', 'done']);
  });

  test('refuses a guest what only a direct upload can take', async () => {
    const large = { ...settings({ ...some, addressBytes: 10 ** 9, siteBytes: 10 ** 9 }) };
    const declared = { type: 'video', name: 'a.mp4', sizeBytes: 20_000_000 };
    const wide = { ...large, limits: { ...limits, video: 10 ** 8 } };

    expect(await outcomesOf([validateUpload(declared, wide, newAddress())])).toEqual(['request.too_large']);
    expect(await validateUpload(declared, wide)).toMatchObject({ mode: 'direct' });
  });
});
