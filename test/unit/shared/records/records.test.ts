import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as z from 'zod/mini';
import { findDynoxide } from '#cli/local/dynamodb/dynoxide.ts';
import { adminRef } from '#modules/System/public/admin-ref.ts';
import { transact } from '#shared/db/items.ts';
import { putItem } from '#shared/db/writes.ts';
import { deleteDictItem, editDictItem, getDictItem } from '#shared/dict/items.ts';
import { listUsages } from '#shared/dict/usage.ts';
import { convertMedia } from '#shared/media/convert-media.ts';
import { mediaUrl, toPublicUrl } from '#shared/media/media-url.ts';
import { defineModule } from '#shared/module/module.ts';
import { defineRecord } from '#shared/records/define-record.ts';
import { dictValue } from '#shared/records/fields/dict-value.ts';
import { attachments, date, money, uniqueText } from '#shared/records/fields/values.ts';
import { createSchemas } from '#shared/records/schemas.ts';
import { label } from '#shared/schema/marks.ts';
import { text } from '#shared/schema/text.ts';
import { titled } from '#shared/schema/titled.ts';
import { useDatabase } from '../../../support/database.ts';

const products = defineRecord({
  module: 'shelf',
  name: 'shelf_product',
  title: { zh_CN: '商品', en: 'product', plural: 'products' },
  fields: {
    name: titled({ zh_CN: '名称', en: 'Name' }, label(text(1, 100))),
    sku: titled({ zh_CN: '货号', en: 'SKU' }, z.optional(uniqueText(label(text(1, 40))))),
    kind: titled({ zh_CN: '类型', en: 'Kind' }, dictValue('shelf_kind')),
    price: titled({ zh_CN: '价格', en: 'Price' }, money('CNY')),
    owner: titled({ zh_CN: '负责人', en: 'Owner' }, z.optional(adminRef())),
    due: titled({ zh_CN: '期限', en: 'Due' }, z.optional(date())),
  },
  filters: ['kind', 'price'],
  search: ['name'],
});

const manifest = defineModule({
  name: 'Shelf',
  title: { zh_CN: '货架', en: 'Shelf' },
  version: '0.1.0',
  requires: ['System'],
  dictionaries: [
    {
      type_key: 'shelf_kind',
      name: '类型',
      public: true,
      items: [
        { value: 'a', name: '甲', sort: 2 },
        { value: 'b', name: '乙', sort: 1 },
      ],
    },
  ],
});

useDatabase(findDynoxide() ? 'dynoxide' : 'dynamodb-local', [manifest]);

const adminId = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
const unknownId = '01ARZ3NDEKTSV4RRFFQ69G5FAX';
const sample = { name: 'Lamp', kind: 'a', price: 1999 };

describe('records', () => {
  beforeAll(() =>
    transact([
      putItem({ pk: `ADMIN#${adminId}`, sk: `ADMIN#${adminId}`, id: adminId, account: 'ann', name: 'Ann' }),
    ]),
  );

  test('are added, read, edited and deleted, with names of what they refer to', async () => {
    const added = await products.add({ ...sample, owner: adminId, due: '2026-03-29' });

    expect(added).toMatchObject({ sku: null, version: 1, labels: { kind: '甲', owner: 'Ann' } });
    expect(await products.get(added.id)).toEqual(added);
    const edited = await products.edit({ id: added.id, version: 1, kind: 'b', owner: null });
    expect(edited).toMatchObject({ name: 'Lamp', owner: null, version: 2, labels: { kind: '乙' } });
    expect(await listUsages('shelf_kind', 'a')).toEqual([]);
    expect(await listUsages('shelf_kind', 'b')).toEqual([{ path: 'shelf', message: '1' }]);
    await expect(products.edit({ id: added.id, version: 1 })).rejects.toMatchObject({
      code: 'version_conflict',
    });
    await products.remove(added.id);
    expect(await listUsages('shelf_kind', 'b')).toEqual([]);
    await expect(products.get(added.id)).rejects.toMatchObject({ code: 'record.not_found', status: 404 });
  });

  test('refuse what does not exist or is disabled, and name the field', async () => {
    const refusal = (field: string) => ({
      code: 'request.invalid',
      errors: [{ path: `body.${field}`, message: 'rule.reference' }],
    });
    await expect(products.add({ ...sample, kind: 'c' })).rejects.toMatchObject(refusal('kind'));
    await expect(products.add({ ...sample, owner: unknownId })).rejects.toMatchObject(refusal('owner'));
    const kept = await products.add({ ...sample, kind: 'b' });
    const { version } = await getDictItem('shelf_kind', 'b');
    await editDictItem('shelf_kind', 'b', version, { status: 'disabled' });
    await expect(products.add({ ...sample, kind: 'b' })).rejects.toMatchObject(refusal('kind'));
    expect(await products.edit({ id: kept.id, version: 1, price: 5 })).toMatchObject({ kind: 'b', price: 5 });
    await editDictItem('shelf_kind', 'b', version + 1, { status: 'enabled' });
    await expect(deleteDictItem('shelf_kind', 'b', false)).rejects.toMatchObject({
      code: 'dict.value_in_use',
    });
    await products.remove(kept.id);
  });

  test('share no unique text in any case and width, and free it again', async () => {
    const first = await products.add({ ...sample, sku: 'ab-1' });
    const taken = { code: 'record.taken', errors: [{ path: 'body.sku', message: 'rule.taken' }] };
    await expect(products.add({ ...sample, sku: 'ＡＢ-1' })).rejects.toMatchObject(taken);
    expect(await products.check([{ ...sample, sku: 'AB-1' }, sample])).toEqual([taken.errors, []]);
    const second = await products.add({ ...sample, sku: 'ab-2' });
    await expect(products.edit({ id: second.id, version: 1, sku: 'AB-1' })).rejects.toMatchObject(taken);
    await products.edit({ id: first.id, version: 1, sku: null });
    await products.edit({ id: second.id, version: 1, sku: 'AB-1' });
    await products.removeAll();
    const [again] = await Promise.allSettled(
      [1, 2, 3, 4].map(() => products.add({ ...sample, sku: 'ab-1' })),
    );
    expect(again).toBeDefined();
    expect((await products.list({ limit: 100 })).list).toHaveLength(1);
    await products.removeAll();
  });

  test('are added once under a given ID', async () => {
    await products.add(sample, unknownId);
    await expect(products.add(sample, unknownId)).rejects.toMatchObject({ code: 'record.exists' });
    expect((await products.list({ limit: 100 })).list).toHaveLength(1);
    await products.removeAll();
  });

  test('are imported once for each line of a file, and not at all while a line has a fault', async () => {
    const key = 'a-file-of-the-test';
    const lines = Array.from({ length: 25 }, (_none, at) => ({
      line: at + 2,
      values: { ...sample, name: `Line ${at}`, sku: `import-${at}` },
    }));
    const wrong = lines.with(7, { line: 9, values: { ...sample, sku: 'wrong', kind: 'gone' } });

    await expect(products.importLines({ key, check: true, lines: wrong })).rejects.toMatchObject({
      code: 'request.invalid',
      errors: [{ path: 'body.lines.7.values.kind', message: 'rule.reference' }],
    });
    await expect(products.importLines({ key, check: false, lines: wrong })).rejects.toMatchObject({
      code: 'request.invalid',
    });
    expect((await products.list({ limit: 100 })).list).toEqual([]);
    expect(await products.importLines({ key, check: true, lines })).toEqual({ added: 0, present: 0 });
    expect(await products.importLines({ key, check: false, lines: lines.slice(0, 12) })).toEqual({
      added: 12,
      present: 0,
    });
    const all = await Promise.all(
      Array.from({ length: 20 }, () => products.importLines({ key, check: false, lines })),
    );

    expect(all.map(({ added, present }) => added + present)).toEqual(all.map(() => 25));
    expect(all.reduce((sum, { added }) => sum + added, 0)).toBe(13);
    const { list } = await products.list({ limit: 100 });
    expect(list.map(({ name }) => name)).toEqual(lines.map(({ values }) => values.name).toReversed());
    await products.removeAll();
  });

  test('are listed as a simple model says, for every filter, search and page size', async () => {
    const names = ['Desk lamp', 'ＤＥＳＫ', '商品价格', '价格表', 'café'];
    const rows: Awaited<ReturnType<typeof products.add>>[] = [];
    for (let at = 0; at < 24; at += 1) {
      const price = [0, 5, 100, 1e10][at % 4] ?? 0;
      rows.push(await products.add({ name: names[at % 5] ?? '', kind: at % 3 ? 'a' : 'b', price }));
    }
    const query = fc.record(
      {
        kind: fc.constantFrom('a', 'b'),
        price_from: fc.constantFrom(0, 1, 100),
        price_to: fc.constantFrom(0, 99, 100, 1e12),
        search: fc.constantFrom('desk', 'LAMP desk', '价格', '商品', 'Cafe', 'nothing'),
        limit: fc.integer({ min: 1, max: 10 }),
      },
      { requiredKeys: ['limit'] },
    );
    const found = { desk: [0, 1], 'LAMP desk': [0], 价格: [2, 3], 商品: [2], Cafe: [4], nothing: [] };
    await fc.assert(
      fc.asyncProperty(query, async (wanted) => {
        const listed: string[] = [];
        let cursor: string | undefined;
        do {
          const page = await products.list({ ...wanted, cursor });
          expect(page.list.length).toBeLessThanOrEqual(wanted.limit);
          listed.push(...page.list.map(({ id }) => id));
          cursor = page.next_cursor ?? undefined;
        } while (cursor);
        const expected = rows.filter(
          ({ kind, price }, at) =>
            (wanted.kind === undefined || kind === wanted.kind) &&
            price >= (wanted.price_from ?? 0) &&
            price <= (wanted.price_to ?? Number.POSITIVE_INFINITY) &&
            (wanted.search === undefined || Object(found)[wanted.search].includes(at % 5)),
        );
        expect(listed.toSorted()).toEqual(expected.map(({ id }) => id).toSorted());
      }),
      { numRuns: 60 },
    );
  });

  test('answer stored files under full addresses, which only the stored form does not allow', () => {
    const url = `https://files.example/${'a'.repeat(600)}.png`;
    const files = titled({ zh_CN: '附件', en: 'Files' }, z.optional(attachments({ max: 2 })));
    const cover = titled({ zh_CN: '封面', en: 'Cover' }, mediaUrl(z.maxLength(500)));
    const { data, added } = createSchemas({
      module: 'shelf',
      name: 'shelf_cover',
      title: { zh_CN: '封面', en: 'cover', plural: 'covers' },
      fields: { cover, files },
    });
    const at = '2026-03-29T00:00:00.000Z';
    const row = { id: adminId, version: 1, created_at: at, updated_at: at };

    expect(z.safeParse(data, { ...row, cover: url, files: [url] }).success).toBe(true);
    expect(convertMedia(data, { cover: 'storage/a.png', files: ['storage/b.png'] })).toEqual({
      cover: toPublicUrl('storage/a.png'),
      files: [toPublicUrl('storage/b.png')],
    });
    expect(z.safeParse(data, { ...row, cover: url, files: [url, url, url] }).success).toBe(false);
    expect(z.safeParse(added, { cover: 'storage/a.png', files: ['storage/b.png'] }).success).toBe(true);
    expect(
      z.safeParse(added, { cover: 'storage/a.png', files: ['https://files.example/a.png'] }).success,
    ).toBe(false);
    expect(z.safeParse(added, { cover: url }).success).toBe(false);
  });

  test('need no more filters than the table has indexes', () => {
    const fields = { a: text(0, 9), b: text(0, 9), c: text(0, 9) };
    const options = { module: 'x', name: 'x', title: { zh_CN: '', en: '', plural: '' }, fields };
    expect(() => defineRecord({ ...options, filters: ['a', 'b', 'c'] })).toThrow('need 3 indexes');
    const number = (schema: z.core.$ZodType) => () =>
      defineRecord({ ...options, fields: { n: schema }, filters: ['n'] });
    expect(number(z.int())).toThrow('"x.n" is no');
    expect(number(z.number().check(z.gte(0)))).toThrow('whole number from 0');
    expect(number(z.int().check(z.gte(-1)))).toThrow('whole number from 0');
  });
});
