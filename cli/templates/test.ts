import type { Names } from './names.ts';

export const renderTest = ({ name, prefix }: Names): string => `\
import { describe, expect, test } from '@jest/globals';
import { findDynoxide } from '#cli/local/dynamodb/dynoxide.ts';
import adminRoute from '#modules/${name}/Admin/kind/list.ts';
import userRoute from '#modules/${name}/Api/kind/list.ts';
import { kindType } from '#modules/${name}/data/dictionaries.ts';
import { listKinds } from '#modules/${name}/data/list-kinds.ts';
import ListKindsTool from '#modules/${name}/Mcp/Tools/ListKindsTool.ts';
import manifest from '#modules/${name}/module.ts';
import { addDictItem } from '#shared/dict/items.ts';
import { useDatabase } from '../../../support/database.ts';
import { createHandlerContext } from '../../../support/handler-context.ts';

useDatabase(findDynoxide() ? 'dynoxide' : 'dynamodb-local', [manifest]);

const seeded = [
  { name: '标准', value: 'standard' },
  { name: '特殊', value: 'special' },
];

describe('${prefix}', () => {
  test('offers the kinds that it brings along, by its routes and its tool', async () => {
    const context = createHandlerContext();
    const answers = [adminRoute.handler(context), userRoute.handler(context), new ListKindsTool().handle()];

    for (const answer of await Promise.all(answers)) expect(answer).toEqual({ list: seeded });
  });

  test('offers the kinds that operators add', async () => {
    await addDictItem({ type_key: kindType, value: 'own', name: 'Own', sort: 30 });

    expect(await listKinds()).toEqual({ list: [{ name: 'Own', value: 'own' }, ...seeded] });
  });
});
`;
