import type { Names } from './names.ts';

/** The test of a new module. */
export const renderTest = ({ prefix, codes }: Names): string => `\
import { describe, expect, test } from '@jest/globals';
import { findDynoxide } from '#cli/local/dynamodb/dynoxide.ts';
import { addDictItem } from '#shared/dict/items.ts';
import { useDatabase } from '../../test/support/database.ts';
import { kindType } from './kinds/dictionaries.ts';
import { getKind, listKinds } from './kinds/kinds.ts';
import ListKindsTool from './Mcp/Tools/ListKindsTool.ts';
import manifest from './module.ts';

useDatabase(findDynoxide() ? 'dynoxide' : 'dynamodb-local', [manifest]);

const seeded = [
  { name: '标准', value: 'standard' },
  { name: '特殊', value: 'special' },
];

describe('${prefix}', () => {
  test('offers the kinds that it brings along', async () => {
    expect(await listKinds()).toEqual({ list: seeded });
  });

  test('offers the list of kinds as a tool that reads', () => {
    expect(new ListKindsTool().access).toBe('read');
  });

  test('offers the kinds that operators add', async () => {
    await addDictItem({ type_key: kindType, value: 'own', name: 'Own', sort: 30 });

    expect(await listKinds()).toEqual({ list: [{ name: 'Own', value: 'own' }, ...seeded] });
  });

  test('finds a kind by its value, and refuses an unknown one', async () => {
    expect(await getKind('special')).toMatchObject({ name: '特殊' });
    await expect(getKind('unknown')).rejects.toMatchObject({
      code: '${codes}.kind_not_found',
      status: 404,
    });
  });
});
`;
