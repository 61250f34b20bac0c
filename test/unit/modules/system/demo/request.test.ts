import { beforeAll, expect, test } from '@jest/globals';
import * as z from 'zod/mini';
import { runAt } from '#cli/demo/clock.ts';
import { findDynoxide } from '#cli/local/dynamodb/dynoxide.ts';
import { closeLog } from '#modules/System/audit/close-log.ts';
import { readMonth, storedLog } from '#modules/System/audit/stored-log.ts';
import { verifyMonth } from '#modules/System/audit/verify/verify.ts';
import { isEntryLeftOut, isPastOpen, runRefused, runRequest } from '#modules/System/demo/request.ts';
import { getItem, transact } from '#shared/db/items.ts';
import { putNew } from '#shared/db/writes.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { useDatabase } from '../../../../support/database.ts';

// An installation whose log has a digest already.

useDatabase(findDynoxide() ? 'dynoxide' : 'dynamodb-local');

const moment = new Date(Date.now() - 3_600_000);
const month = moment.toISOString().slice(0, 7);
const request = {
  run: { at: runAt },
  admin: { id: 'A', account: 'demo', address: '203.0.113.1' },
  ...{
    moment,
    action: 'test/add',
    route: { body: z.object({ kind: z.literal('a') }) },
    input: { kind: 'a' },
  },
};

beforeAll(async () => {
  await closeLog();
});

test('leaves no entry of a time that a digest covers, but does the work', async () => {
  const key = { pk: 'TEST', sk: '1' };

  await runRequest(request, () => transact([putNew({ ...key, at: new Date().toISOString() })]));
  await runRefused(request, async () => {
    throw new AppError('auth.permission_denied');
  });

  const entries = await Array.fromAsync(readMonth(month));
  expect(String((await getItem(key))?.at).slice(0, 16)).toBe(moment.toISOString().slice(0, 16));
  expect(entries.filter(({ action }) => action === 'test/add')).toEqual([]);
  expect([await isPastOpen(), isEntryLeftOut()]).toEqual([false, true]);
  expect((await verifyMonth(month, storedLog)).finding).toBeUndefined();
});
