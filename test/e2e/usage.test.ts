import { describe, expect, test } from '@jest/globals';
import { copyProject } from '../support/project-copy.ts';
import { useServer } from '../support/use-server.ts';

const items = '/adminapi/system/setting/dict/data';

// A module whose records refer to a dictionary value, such as orders of a shop.
const order = (usage: 'addUsage' | 'removeUsage', write: string) => `
  import * as z from 'zod/mini';
  import { transact } from '#shared/db/items.ts';
  import { ${usage} } from '#shared/dict/usage.ts';
  import { api } from '#shared/http/route.ts';
  export default api.openPost({
    summary: { zh_CN: '试', en: 'Trial' },
    body: z.strictObject({ id: z.string(), kind: z.string() }),
    data: z.null(),
    handler: async ({ body: { id, kind } }) => {
      const key = { pk: \`ORDER#\${id}\`, sk: id };
      await transact([${write}, ...${usage}('user_kind', kind, 'shop')]);
      return null;
    },
  });`;

const copy = copyProject();
copy.enable('System', 'Shop');
copy.write(
  'modules/Shop/module.ts',
  `import { defineModule } from '#shared/module/module.ts';
   export default defineModule({ name: 'Shop', title: { zh_CN: '试', en: 'Trial' }, version: '1.0.0', requires: ['System'] });`,
);
copy.write('modules/Shop/Api/order/add.ts', order('addUsage', '{ Put: { Item: { ...key, kind } } }'));
copy.write('modules/Shop/Api/order/delete.ts', order('removeUsage', '{ Delete: { Key: key } }'));
const { client, admin } = useServer({ root: copy.root });

const callShop = async (path: string, body: unknown) =>
  (await client.post(`/api/shop/order/${path}`, body)).status;

describe('a dictionary value used by records of a module', () => {
  test('is deleted, renamed or replaced only if it is unused or by force', async () => {
    const post = (path: string, body: unknown) => admin.post(items + path, body);
    const value = { type_key: 'user_kind', value: 'vip' };
    for (const id of ['1', '2']) expect(await callShop('add', { id, kind: 'vip' })).toBe(200);

    const refused = [
      await post('/delete', value),
      await post('/edit', { ...value, new_value: 'gold', version: 1 }),
      await post('/import', { type_key: 'user_kind', items: [], mode: 'replace' }),
    ];
    const renamed = await post('/edit', { ...value, name: 'VIP', version: 1 });
    for (const id of ['1', '2']) expect(await callShop('delete', { id, kind: 'vip' })).toBe(200);
    const deleted = await post('/delete', value);
    await callShop('add', { id: '3', kind: 'staff' });
    const forced = await post('/delete', { type_key: 'user_kind', value: 'staff', force: true });

    for (const answer of refused) {
      expect(answer).toMatchObject({ status: 409, code: 'dict.value_in_use' });
      expect(answer.errors).toEqual([{ path: 'shop', message: '2' }]);
    }
    expect(renamed.status).toBe(200);
    expect(deleted.status).toBe(200);
    expect(forced.status).toBe(200);
  });

  test('must exist', async () => {
    expect(await callShop('add', { id: '9', kind: 'invented' })).toBe(500);
  });
});
