import { describe, expect, test } from '@jest/globals';
import { buildBody, createItem, createModel } from '#console/fields/form-model.ts';
import { field } from './field.ts';

const optional = { required: false };
const fields = [
  field('title', 'text', { minLength: 1 }),
  field('summary', 'multiline', optional),
  field('parent', 'id', { ...optional, nullable: true }),
  field('sort', 'integer', optional),
  field('public', 'boolean', optional),
  field('tags', 'list', { ...optional, items: field('', 'text') }),
  field('extra', 'record', optional),
];
const empty = createModel(fields);

describe('of a new record', () => {
  test.each([
    ['leaves out optional inputs that were not touched', {}, {}],
    ['sends a switch that was moved, also back', { public: false }, { public: false }],
    ['parses JSON inputs', { extra: '{"a":[1]}' }, { extra: { a: [1] } }],
  ])('%s', (_title, input, sent) => {
    expect(buildBody(fields, { ...empty, title: 'A', ...input }, empty)).toEqual({ title: 'A', ...sent });
  });

  test('begins with defaults, and leaves them to the service if they stay', () => {
    const defaulted = [field('days', 'integer', { ...optional, default: 30 })];
    const before = createModel(defaulted);

    expect(before).toEqual({ days: 30 });
    expect(buildBody(defaulted, before, before)).toEqual({});
    expect(buildBody(defaulted, { days: 7 }, before)).toEqual({ days: 7 });
  });

  test('begins with a required switch off, and an optional one without a value', () => {
    const switches = [field('on', 'boolean'), field('maybe', 'boolean', optional)];

    expect(createModel(switches)).toEqual({ on: false, maybe: undefined });
    expect(buildBody(switches, createModel(switches), createModel(switches))).toEqual({ on: false });
  });

  test('sends required fields without a value as null, empty text or empty list', () => {
    const required = [
      field('name', 'text'),
      field('cid', 'id', { nullable: true }),
      field('tags', 'list', { items: field('', 'text') }),
      field('size', 'integer'),
    ];
    const before = createModel(required);

    expect(buildBody(required, before, before)).toEqual({ name: '', cid: null, tags: [] });
  });
});

describe('of a stored record', () => {
  const stored = {
    title: 'A',
    summary: 'S',
    parent: 'P',
    sort: 2,
    public: true,
    tags: ['x'],
    extra: { a: 1 },
  };
  const before = createModel(fields, stored);

  test('sends required fields, and optional ones that changed', () => {
    expect(buildBody(fields, { ...before, sort: 3 }, before)).toEqual({ title: 'A', sort: 3 });
  });

  test('empties a text by an empty text, a list by an empty list, a nullable field by null', () => {
    const emptied = { ...before, summary: '', parent: '', tags: [] };

    expect(buildBody(fields, emptied, before)).toEqual({ title: 'A', summary: '', parent: null, tags: [] });
  });

  test('takes null as no value', () => {
    const model = createModel(fields, { ...stored, parent: null });

    expect(model.parent).toBe('');
    expect(buildBody(fields, model, model)).toEqual({ title: 'A' });
  });
});

describe('of objects', () => {
  const nested = [
    field('items', 'list', {
      items: field('', 'object', {
        fields: [field('value', 'text', { minLength: 1 }), field('sort', 'integer', optional)],
      }),
    }),
    field('place', 'object', { ...optional, fields: [field('city', 'text', optional)] }),
  ];

  test('sends lists of objects without their empty optional members', () => {
    const before = createModel(nested);
    const items = [createItem(nested[0]?.items ?? field('', 'any')), { value: 'b', sort: 0 }];

    expect(buildBody(nested, { ...before, items }, before)).toEqual({
      items: [{ value: '' }, { value: 'b', sort: 0 }],
    });
  });

  test('leaves out an optional text of an object that is empty', () => {
    const noted = [
      field('place', 'object', { fields: [field('city', 'text'), field('note', 'text', optional)] }),
    ];
    const model = { place: { city: '', note: '' } };

    expect(buildBody(noted, model, model)).toEqual({ place: { city: '' } });
  });

  test('leaves out an optional object that was not touched', () => {
    const before = createModel(nested);

    expect(before).toEqual({ items: [], place: { city: '' } });
    expect(buildBody(nested, before, before)).toEqual({ items: [] });
    expect(buildBody(nested, { ...before, place: { city: 'Ulm' } }, before)).toEqual({
      items: [],
      place: { city: 'Ulm' },
    });
  });

  test('keeps a tree as JSON', () => {
    const tree = [field('children', 'list')];

    expect(createModel(tree, { children: [{ a: 1 }] }).children).toBe('[\n  {\n    "a": 1\n  }\n]');
  });
});
