import '../../../support/environment.ts';
import './shop-fixture.ts';
import { describe, expect, it } from '@jest/globals';
import * as z from 'zod/mini';
import { listWriteRights } from '#functions/stacks/written-keys.ts';
import { defineEntity } from '#shared/db/entity.ts';
import { singleKey } from '#shared/db/items.ts';
import { type ListWrittenKeys, writeActions } from '#shared/db/written-keys.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { projectRoot } from '../../../support/local-server.ts';

const file = 'test/unit/functions/stacks/shop-fixture.ts';
const own = 'test/unit/functions/stacks/written-keys.test.ts';

const list = (files: string[], writtenKeys?: ListWrittenKeys) =>
  listWriteRights(projectRoot, files, async <Exports>() => ({ writtenKeys }) as Exports);

describe('the rights to write of a bundle', () => {
  it('are the keys of the entities that its files declare, and those that they write as texts', async () => {
    expect(await list([file])).toEqual(
      ['SHOP#*#ORDERS', 'COUNTER#SHOP#*', 'CLAIM#SHOP#*'].map((keys) => ({ keys, actions: writeActions })),
    );
  });

  it('are what a file says it writes, instead of its entities', async () => {
    const written: ListWrittenKeys = () => ['SHOP#*', { keys: 'STOCK', actions: ['PutItem'] }];

    expect(await list([file], written)).toEqual([
      { keys: 'SHOP#*', actions: writeActions },
      { keys: 'STOCK', actions: ['PutItem'] },
    ]);
    expect(await list([file], () => [])).toEqual([]);
  });

  it('do not come from other files, packages, entries and built-in modules', async () => {
    const others = ['node_modules/shop/index.ts', '.build/entries/shop.mjs', `builtin:events?${file}`];

    expect(await list([...others, 'shared/log/log.ts'])).toEqual([]);
  });

  it('are also those to keep revisions, for files that write all attributes of such records', async () => {
    defineEntity({
      row: z.object({}),
      key: ({ id }: { id: string }) => singleKey(`KEPT#${id}`),
      missing: () => new AppError('route.not_found'),
      revisions: { days: 1 },
    });

    expect(await list([own], () => ['KEPT#*'])).toEqual([
      { keys: 'KEPT#*', actions: writeActions },
      { keys: 'REVISION#KEPT#*', actions: ['PutItem'] },
    ]);
    const counted = { keys: 'KEPT#*', attributes: ['pk', 'sk', 'count'] };
    expect((await list([own], () => [counted])).map(({ keys }) => keys)).toEqual(['KEPT#*']);
  });

  it.each([
    ['needs a real record', (id: string) => singleKey(String(BigInt(id)))],
    ['begins with a value', (id: string) => singleKey(id.concat('#ORDERS'))],
  ])('are refused if the key of an entity %s', async (_name, toKey) => {
    const missing = () => new AppError('route.not_found');
    defineEntity({ row: z.object({}), key: ({ id }: { id: string }) => toKey(id), missing });

    await expect(list([own])).rejects.toThrow(`${own}: export writtenKeys`);
  });
});
