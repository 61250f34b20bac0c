import { beforeAll, describe, expect, test } from '@jest/globals';
import { editAdmin } from '#modules/System/admins/admins.ts';
import { listAdmins } from '#modules/System/admins/list-admins.ts';
import type { AdminPrincipal } from '#shared/auth/principal.ts';
import { outcomesOf, randomLetters } from '../../support/database.ts';
import { createAdmin } from './administrator-fixture.ts';

/** Reads pages until the end; `between` runs after the first. */
async function readPages(query: { limit: number; account?: string }, between?: () => Promise<unknown>) {
  const pages: AdminPrincipal[][] = [];
  let cursor: string | undefined;
  do {
    const page = await listAdmins({ ...query, cursor });
    pages.push(page.list);
    cursor = page.next_cursor ?? undefined;
    if (pages.length === 1) await between?.();
  } while (cursor);
  return pages;
}

/** Lists of administrators. */
export function describeAdministratorLists(): void {
  describe('administrator lists', () => {
    const prefix = randomLetters();
    const created: AdminPrincipal[] = [];

    beforeAll(async () => {
      for (const letter of ['c', 'a', 'b', 'e', 'd']) created.push(await createAdmin(prefix + letter));
    });

    test('are newest first, page by page, without later additions', async () => {
      const pages = await readPages({ limit: 2 }, () => createAdmin());

      const newest = pages.flat().slice(0, created.length);
      expect(newest).toEqual([...created].reverse());
      expect(new Set(pages.flat().map(({ id }) => id)).size).toBe(pages.flat().length);
      expect(pages.every((page) => page.length <= 2)).toBe(true);
    });

    test('are empty for an unknown account', async () => {
      const page = await listAdmins({ limit: 2, account: randomLetters() });
      expect(page).toEqual({ list: [], next_cursor: null });
    });

    test('find all words of a search in account and name, page by page, in any case and width', async () => {
      const found = [];
      for (const name of ['Ａnna 张三丰', 'other', 'anna 张三']) {
        found.push(await editAdmin((await createAdmin()).id, { name: `${name} ${prefix}x` }));
      }
      const [first, , last] = found;
      const search = `ANNA ${prefix}X 张三`;

      const page = await listAdmins({ limit: 1, search });
      expect(page).toEqual({ list: [last], next_cursor: expect.any(String) });
      const cursor = page.next_cursor ?? undefined;
      expect(await listAdmins({ limit: 1, search, cursor })).toEqual({ list: [first], next_cursor: null });
      expect((await listAdmins({ limit: 9, search: `${prefix}a`, account: prefix })).list).toEqual([
        created.find(({ account }) => account === `${prefix}a`),
      ]);
      await expect(listAdmins({ limit: 1, cursor })).rejects.toMatchObject({ code: 'request.invalid' });
    });

    test('show changes and hold no secrets', async () => {
      const [first] = created;
      const changed = await editAdmin(String(first?.id), { name: '新' });

      expect((await listAdmins({ limit: 1, account: changed.account })).list).toEqual([changed]);
    });

    test('refuse a cursor of another filter', async () => {
      const [all, one] = [
        await listAdmins({ limit: 1 }),
        await listAdmins({ limit: 1, account: prefix }),
      ].map(({ next_cursor }) => String(next_cursor));

      const outcomes = await outcomesOf([
        listAdmins({ limit: 1, account: prefix, cursor: all }),
        listAdmins({ limit: 1, cursor: one }),
        listAdmins({ limit: 1, account: `${prefix}a`, cursor: one }),
        listAdmins({ limit: 1, cursor: 'null' }),
        listAdmins({ limit: 1, account: prefix, cursor: one }),
      ]);

      expect(outcomes).toEqual([...Array(4).fill('request.invalid'), 'done']);
    });
  });
}
