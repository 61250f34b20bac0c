import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { compareTexts } from '#console/kit/records/compare-texts.ts';
import { describeChanges } from '#console/kit/records/field-changes.ts';
import { type AuditEntry, mergeTimeline, type Revision } from '#console/kit/records/timeline.ts';
import type { Field } from '#functions/console/description.ts';

const field = (name: string, type: Field['type'], more: Partial<Field> = {}): Field => ({
  ...{ name, type, label: { zh_CN: name, en: name }, required: true, nullable: false },
  ...more,
});

describe('the changes of a record', () => {
  const fields = [
    field('title', 'text'),
    field('content', 'html'),
    field('grants', 'list', { items: field('', 'text') }),
    field('days', 'integer', { default: 7 }),
  ];
  const kindsOf = (old: object, now: object) =>
    describeChanges(fields, { ...old }, { ...now }).map(({ field: { name }, kind }) => `${name} ${kind}`);

  test('are in the order of the fields, without what each edit changes', () => {
    const old = { content: '<p>a</p>', title: 'A', version: 1, updated_at: 'x', gone: 1 };
    const now = { content: '<p>b</p>', title: 'B', version: 2, updated_at: 'y', gone: 2 };

    expect(kindsOf(old, now)).toEqual(['title pair', 'content text', 'gone pair']);
  });

  test('compare long texts, and say of lists what came and what went', () => {
    const long = 'word '.repeat(20);

    expect(kindsOf({ title: long }, { title: 'B' })).toEqual(['title text']);
    expect(describeChanges(fields, { grants: ['a', 'b'] }, { grants: ['b', 'c'] })).toMatchObject([
      { kind: 'list', added: ['c'], removed: ['a'] },
    ]);
    expect(kindsOf({ grants: ['a', 'b'] }, { grants: ['b', 'a'] })).toEqual(['grants pair']);
  });

  test('show the default of a setting that had no value', () => {
    expect(describeChanges(fields, { days: null }, { days: 9 })).toMatchObject([{ before: 7, after: 9 }]);
    expect(kindsOf({ days: null }, { days: 7 })).toEqual([]);
  });

  test('name a secret that was replaced, though both values are masks', () => {
    const secret = [field('key', 'secret')];

    expect(describeChanges(secret, { key: '******' }, { key: '******' })).toHaveLength(1);
  });
});

describe('a comparison of texts', () => {
  const join = (parts: ReturnType<typeof compareTexts>, without: string) =>
    parts?.flatMap(({ kind, text }) => (kind === without ? [] : text)).join('');

  test('loses and invents no word of short texts', () => {
    const words = fc.array(fc.constantFrom('票价', '上涨', 'a', 'b c', '\n', '。'), { maxLength: 8 });
    fc.assert(
      fc.property(words, words, (one, other) => {
        const [before, after] = [one.join(''), other.join('')];
        const parts = compareTexts(before, after, 'zh-CN');

        expect(join(parts, 'added')).toBe(before);
        expect(join(parts, 'removed')).toBe(after);
      }),
    );
  });

  test('divides Chinese into words, and leaves out long text that stayed the same', () => {
    const same = '这里的文字没有任何改动。'.repeat(40);
    const parts = compareTexts(`票价上涨了。${same}结束`, `票价下降了。${same}开始`, 'zh-CN') ?? [];

    expect(parts.filter(({ kind }) => kind === 'removed').map(({ text }) => text)).toEqual(['上涨', '结束']);
    expect(parts.filter(({ kind }) => kind === 'gap')).toHaveLength(1);
    expect(parts.map(({ text }) => text).join('').length).toBeLessThan(200);
  });
});

describe('the timeline of a record', () => {
  const change = (id: number, request_id: string | null): Revision => ({
    ...{ id: `r${id}`, at: `2026-01-0${id}`, by: { kind: 'admin', id: 'x', account: 'ann' } },
    ...{ title: 'Edit', request_id, old: {}, new: {} },
  });
  const entry = (id: number, request_id: string, outcome: AuditEntry['outcome'] = 'ok'): AuditEntry => ({
    ...{ id: `e${id}`, at: `2026-01-0${id}`, actor: { kind: 'admin', id: 'x', account: null } },
    ...{ channel: 'api', action: 'a', title: 'Edit', target: 't', outcome, code: outcome, fields: {} },
    ...{ request_id, address: null, mac: '', genuine: true },
  });
  const idsOf = (...parts: Parameters<typeof mergeTimeline>) => mergeTimeline(...parts).map(({ id }) => id);

  test('has each change once, and what was refused', () => {
    const entries = [
      entry(4, 'd', 'refused'),
      entry(3, 'c'),
      entry(2, 'b'),
      entry(2, 'b', 'failed'),
      entry(1, 'a'),
    ];

    expect(idsOf([change(3, 'c'), change(2, 'b')], entries)).toEqual(['e4', 'r3', 'r2', 'e2', 'e1']);
  });

  test('ends where one of the lists is not read on', () => {
    expect(idsOf([change(4, 'd'), change(3, 'c')], [entry(1, 'a')], ['2026-01-03'])).toEqual(['r4', 'r3']);
  });
});
