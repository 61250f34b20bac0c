import { setImmediate } from 'node:timers/promises';
import { afterAll, expect, test } from '@jest/globals';
import { runAt } from '#cli/demo/clock.ts';

const RealDate = Date;
afterAll(() => {
  globalThis.Date = RealDate;
});

const earlier = new Date('2026-01-02T03:04:05.000Z');
const dayOf = (time: number | string | Date) => new RealDate(time).toISOString().slice(0, 10);

test('runs work at another time', async () => {
  const times = await runAt(earlier, async () => {
    await setImmediate();
    return [Date.now(), new Date(), new Date(Date.now())].map(dayOf);
  });

  expect(times).toEqual(['2026-01-02', '2026-01-02', '2026-01-02']);
});

test('lets other work keep the real time', async () => {
  const [shifted, other] = await Promise.all([
    runAt(earlier, async () => {
      await setImmediate();
      return dayOf(Date.now());
    }),
    setImmediate().then(() => Date.now()),
  ]);

  expect(shifted).toBe('2026-01-02');
  expect(Math.abs(other - RealDate.now())).toBeLessThan(60_000);
});

test('keeps the real time after the work, also if it fails', async () => {
  await expect(runAt(earlier, () => Promise.reject(new Error('no')))).rejects.toThrow('no');

  expect(Math.abs(Date.now() - RealDate.now())).toBeLessThan(60_000);
});

test('changes no date that is made of a value', async () => {
  const made = await runAt(earlier, async () => ({
    ofText: new Date('2030-05-06').toISOString(),
    ofParts: new Date(2030, 4, 6, 7).getHours(),
    utc: Date.UTC(2030, 4, 6),
    isDate: new Date() instanceof Date && new RealDate() instanceof Date,
  }));

  expect(made).toEqual({
    ...{ ofText: '2030-05-06T00:00:00.000Z', ofParts: 7, utc: RealDate.UTC(2030, 4, 6), isDate: true },
  });
});
