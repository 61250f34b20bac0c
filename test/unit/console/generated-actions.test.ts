import { expect, test } from '@jest/globals';
import {
  choiceField,
  findChildren,
  hasResult,
  inputFields,
  offerActions,
  pageKeys,
  proposeValues,
  recordKeys,
  sortActions,
} from '#console/pages/generated-actions.ts';
import type { Action, Field, PageDescription } from '#functions/console/description.ts';
import { field } from './field.ts';

const text = { zh_CN: '', en: '' };
const status = field('status', 'enum', {
  options: [
    { value: 'enabled', label: text },
    { value: 'disabled', label: text },
  ],
});

const action = (name: string, more: Partial<Action> = {}): Action => ({
  name,
  method: 'POST',
  path: `/adminapi/shop/order/${name}`,
  title: text,
  permission: 'login',
  query: [],
  body: [],
  bodyType: 'application/json',
  data: [],
  takes: 'id',
  keys: ['id'],
  isVersioned: false,
  isDangerous: false,
  ...more,
});
const none = { takes: 'none' as const, keys: [] };

const page = (
  path: string,
  query: Field[],
  actions: Action[] = [],
  item = [field('id', 'id')],
): PageDescription => ({
  path,
  module: 'Shop',
  title: text,
  list: { path: `/adminapi/${path}/list`, title: text, permission: 'login', paging: 'page', query, item },
  actions,
});

const orders = page(
  'shop/order',
  [],
  [
    action('add', none),
    action('delete', { isDangerous: true }),
    action('detail', { method: 'GET', query: [field('id', 'id')] }),
    action('edit', {
      isVersioned: true,
      body: [field('id', 'id'), field('name', 'text'), field('version', 'integer')],
    }),
    action('move', { takes: 'ids', body: [field('ids', 'list'), field('to', 'id')] }),
    action('status', { body: [field('id', 'id'), status] }),
    action('totals', { ...none, method: 'GET' }),
  ],
);
const find = (name: string): Action => orders.actions.find((each) => each.name === name) ?? action(name);

test('puts each action at its place, the dangerous ones last', () => {
  const { add, edit, detail, row, bulk, toolbar } = sortActions(orders, () => true);

  expect([add, edit, detail].map((each) => each?.name)).toEqual(['add', 'edit', 'detail']);
  expect(row.map(({ name }) => name)).toEqual(['status', 'delete']);
  expect(bulk.map(({ name }) => name)).toEqual(['move']);
  expect(toolbar.map(({ name }) => name)).toEqual(['totals']);
});

test('leaves out what the operator may not call', () => {
  const sorted = sortActions(orders, (path) => path === 'shop/order/detail');

  expect(sorted).toEqual({
    add: undefined,
    edit: undefined,
    detail: find('detail'),
    row: [],
    bulk: [],
    toolbar: [],
  });
});

test('leaves out what a page or a row does not offer', () => {
  const { detail, edit, row, toolbar } = offerActions(
    sortActions(orders, () => true),
    ({ name }) => name === 'status',
  );

  expect([detail?.name, edit, toolbar]).toEqual(['detail', undefined, []]);
  expect(row.map(({ name }) => name)).toEqual(['status']);
});

test('asks the operator for neither keys nor version', () => {
  expect(inputFields(find('edit')).map(({ name }) => name)).toEqual(['name']);
  expect(inputFields(find('move')).map(({ name }) => name)).toEqual(['to']);
  expect(inputFields(find('detail'))).toEqual([]);
});

test('asks for the keys of a new record', () => {
  expect(inputFields(action('add', { ...none, body: [field('type_key', 'text')] }))).toHaveLength(1);
});

test('proposes the filters of the list for a new record, in the types of its fields', () => {
  const body = [
    field('type_key', 'text'),
    field('enabled', 'boolean'),
    field('sort', 'integer'),
    status,
    field('tags', 'list'),
    field('name', 'text'),
  ];
  const filters = { type_key: 'color', enabled: 'false', sort: '7', status: 'gone', tags: 'a', keyword: 'x' };

  expect(proposeValues(action('add', { ...none, body }), filters)).toEqual({
    type_key: 'color',
    enabled: false,
    sort: 7,
  });
  expect(proposeValues(action('add', { ...none, body }), { enabled: '1', status: 'enabled' })).toEqual({
    enabled: true,
    status: 'enabled',
  });
});

test('sends the keys, and the version as it was read', () => {
  const record = { id: 'A', name: 'n', version: 7 };

  expect(recordKeys(find('edit'), record)).toEqual({ id: 'A', version: 7 });
  expect(recordKeys(find('delete'), record)).toEqual({ id: 'A' });
  expect(recordKeys(find('move'), [record, { id: 'B' }])).toEqual({ ids: ['A', 'B'] });
  expect(recordKeys(find('add'), record)).toEqual({});
});

test('shows the values of a state instead of a form', () => {
  expect(choiceField(find('status'))).toBe(status);
  expect(choiceField(find('edit'))).toBeUndefined();
  expect(choiceField(find('move'))).toBeUndefined();
});

test('shows an answer that holds more than the record', () => {
  const record = [field('id', 'id')];

  expect(hasResult(action('add', { data: record }), orders)).toBe(false);
  expect(hasResult(action('add', { data: [...record, field('token', 'text')] }), orders)).toBe(true);
});

test('finds the keys of a page by its actions, else by its rows', () => {
  const keyed = page('dict/type', [], [action('edit', { keys: ['type_key'] })]);

  expect(pageKeys(keyed)).toEqual(['type_key']);
  expect(pageKeys(page('log', []))).toEqual(['id']);
  expect(pageKeys(page('tree', [], [], [field('path', 'text')]))).toEqual([]);
});

test('opens pages that demand the keys of a row, lie below its folder, or refer to it', () => {
  const types = page('dict/type', [], [action('edit', { keys: ['type_key'] })], [field('type_key', 'text')]);
  const items = page(
    'dict/data',
    [field('type_key', 'text')],
    [action('edit', { keys: ['type_key', 'value'] })],
  );
  const lines = page('shop/order/line', [field('order_id', 'id', { required: false })]);
  const bills = page('shop/bill', [field('of', 'id', { required: false, refersTo: 'shop/order' })]);
  const logs = page('shop/log', [field('day', 'time'), field('of', 'id', { refersTo: 'shop/order' })]);
  const all = [types, items, orders, lines, bills, logs];
  const open = (from: PageDescription) =>
    findChildren(from, all).map(({ page: { path }, filters }) => [path, filters]);

  expect(open(types)).toEqual([['dict/data', { type_key: 'type_key' }]]);
  expect(open(orders)).toEqual([
    ['shop/order/line', { order_id: 'id' }],
    ['shop/bill', { of: 'id' }],
  ]);
  expect(open(lines)).toEqual([]);
});
