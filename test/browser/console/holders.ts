import type { Page } from 'playwright-core';
import * as z from 'zod/mini';
import type { Desk } from './fixture.ts';
import type { Credentials } from './log-in.ts';

const added = z.object({ id: z.string() });
let count = 0;

/** Adds an administrator with a role of these grants. */
export async function addHolder(
  desk: Pick<Desk, 'call'>,
  grants: readonly string[],
): Promise<Credentials & { id: string; roleId: string }> {
  count += 1;
  const role = z.parse(
    added,
    await desk.call('system/role/add', { name: `Role ${count}`, remark: '', grants }),
  );
  const [account, password] = [`holder${count}`, 'a long password'];
  const person = { account, name: account, password, role_ids: [role.id] };
  const { id } = z.parse(added, await desk.call('system/admin/add', person));
  return { account, password, id, roleId: role.id };
}

/** The token of a tab's login. */
export const readToken = (page: Page): Promise<string> =>
  page.evaluate(`sessionStorage.getItem('console.token')`);
