import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readPage, toParameters } from '#console/base/list-page.ts';
import { findMissing, readState, writeState } from '#console/kit/lists/list-state.ts';
import { field } from './field.ts';

const fields = [field('keyword', 'text', { required: false }), field('type_key', 'text')];

test('comes back from the URL as it was written', () => {
  const text = fc.string({ minLength: 1 });
  fc.assert(
    fc.property(
      fc.record({
        filters: fc.record({ keyword: text, type_key: text }, { requiredKeys: [] }),
        pageNo: fc.integer({ min: 1 }),
        pageSize: fc.constantFrom(20, 50, 100),
        cursor: fc.option(text, { nil: undefined }),
        view: fc.option(text, { nil: undefined }),
      }),
      (state) => {
        const url = new URLSearchParams(writeState(state)).toString();
        const { cursor, view, ...read } = readState(Object.fromEntries(new URLSearchParams(url)), fields);
        expect({ ...read, cursor, view }).toEqual({ ...state, filters: { ...state.filters } });
      },
    ),
  );
});

test('leaves usual values out of the URL', () => {
  expect(writeState({ filters: { keyword: '' }, pageNo: 1, pageSize: 20 })).toEqual({});
});

test.each(['0', '-1', '1.5', 'x', '', '99999999999999999999'])('reads the page number %j as 1', (page_no) => {
  expect(readState({ page_no }, fields).pageNo).toBe(1);
});

test('leaves out what is no filter, and page sizes that are not offered', () => {
  expect(readState({ other: 'x', keyword: ['a', 'b'], type_key: null, page_size: '7' }, fields)).toEqual({
    filters: { keyword: 'a' },
    pageNo: 1,
    pageSize: 20,
  });
});

test('asks by the kind of paging', () => {
  const state = { filters: { keyword: 'a' }, pageNo: 3, pageSize: 50, cursor: 'c', view: 'v' };

  expect(toParameters('page', state)).toEqual({ keyword: 'a', page_no: 3, page_size: 50 });
  expect(toParameters('cursor', state)).toEqual({ keyword: 'a', limit: 50, cursor: 'c' });
  expect(toParameters('all', state)).toEqual({ keyword: 'a' });
  expect(toParameters('cursor', { ...state, cursor: undefined })).toEqual({ keyword: 'a', limit: 50 });
});

test('names the filters that must be set first', () => {
  expect(findMissing(fields, { filters: {} }).map(({ name }) => name)).toEqual(['type_key']);
  expect(findMissing(fields, { filters: { type_key: 'color' } })).toEqual([]);
  expect(findMissing([field('limit', 'integer', { default: 20 })], { filters: {} })).toEqual([]);
});

test.each([
  [[{ id: 1 }], { rows: [{ id: 1 }] }],
  [
    { list: [], total: 0, page_no: 1 },
    { rows: [], total: 0 },
  ],
  [
    { list: [{ id: 1 }], next_cursor: 'c' },
    { rows: [{ id: 1 }], nextCursor: 'c' },
  ],
  [{ list: [], next_cursor: null }, { rows: [] }],
  [null, { rows: [] }],
])('reads the page in %j', (data, page) => {
  expect(readPage(data)).toEqual(page);
});
