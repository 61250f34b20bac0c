import { beforeEach, expect, test } from '@jest/globals';
import { findDynoxide } from '#cli/local/dynamodb/dynoxide.ts';
import { readUserCounts } from '#modules/System/users/counters.ts';
import { createUser, createUserId } from '#modules/System/users/create-user.ts';
import { deleteUser } from '#modules/System/users/delete-user.ts';
import { getUserRecord } from '#modules/System/users/find-user.ts';
import { startSession } from '#modules/System/users/start-session.ts';
import { userClaims, userLoginKey, users } from '#modules/System/users/user-record.ts';
import { getItems } from '#shared/db/items.ts';
import { useDatabase } from '../../../../support/database.ts';

useDatabase(findDynoxide() ? 'dynoxide' : 'dynamodb-local');

const mobile = '13800138000';
const openId = { app: 'mini', openId: 'o-1' } as const;
let id: string;
let sn: string;

beforeEach(async () => {
  id = createUserId();
  ({ sn } = await createUser({ id, terminal: 1, mobile, openId }));
  await startSession(await getUserRecord(id), { terminal: 1 });
});

const listItems = () =>
  getItems([
    users.key({ id }),
    userLoginKey(id),
    userClaims.mobile(mobile),
    userClaims.openId(openId),
    userClaims.sn(sn),
  ]);

test('deletes the user with claims and last login, and counts it out', async () => {
  const [before, counts] = [await listItems(), await readUserCounts(1)];

  await deleteUser(id);

  const after = await readUserCounts(1);
  expect([before.length, (await listItems()).length]).toEqual([5, 0]);
  expect([
    counts.total - after.total,
    counts.byTerminal.mini_program - after.byTerminal.mini_program,
  ]).toEqual([1, 1]);
  expect(after.byDay).toEqual([{ date: counts.byDay[0]?.date, count: Number(counts.byDay[0]?.count) - 1 }]);
});

test('refuses a user who does not exist', async () => {
  await deleteUser(id);

  await expect(deleteUser(id)).rejects.toMatchObject({ code: 'user.not_found' });
});
