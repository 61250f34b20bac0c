import '../../../../support/environment.ts';
import { describe, expect, test } from '@jest/globals';
import * as z from 'zod/mini';
import moveFiles from '#modules/System/Admin/file/move.ts';
import { fileCategoryId } from '#modules/System/files/category-id.ts';

const id = '01ARZ3NDEKTSV4RRFFQ69G5FAV';

const newFile = z.strictObject({ cid: fileCategoryId });
const move = moveFiles.body ?? z.never();

/** The parsed category of a request body; undefined if it is refused. */
const readCategory = (schema: z.core.$ZodType, body: object): unknown =>
  Object(z.safeParse(schema, body).data).cid;

describe.each<[string, z.core.$ZodType, object]>([
  ['of a new file', newFile, {}],
  ['to move files to', move, { ids: [id] }],
])('the category %s', (_name, schema, rest) => {
  test.each([null, '', '0', 0])('takes %j as none', (cid) => {
    expect(readCategory(schema, { ...rest, cid })).toBeNull();
  });

  test('takes an ID', () => {
    expect(readCategory(schema, { ...rest, cid: id })).toBe(id);
  });

  test.each([1, '1', 'null', false, [], [''], [0], {}, `${id} `])('refuses %j', (cid) => {
    expect(readCategory(schema, { ...rest, cid })).toBeUndefined();
  });
});

test('a new file may leave its category out, a move may not', () => {
  expect(z.parse(newFile, {})).toEqual({ cid: null });
  expect(z.safeParse(move, { ids: [id] }).error?.issues).toMatchObject([{ path: ['cid'] }]);
});
