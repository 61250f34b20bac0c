import { describe, expect, test } from '@jest/globals';
import type { SettingField } from '#functions/console/description.ts';
import {
  closesSite,
  listChanges,
  listNeededSecrets,
  sortErrors,
  toSettingValue,
  toValues,
} from '#modules/System/Console/settings/draft.ts';

const field = (name: string, more: Partial<SettingField> = {}): SettingField => ({
  ...{ name, label: { zh_CN: name, en: name }, type: 'text', required: false, nullable: false },
  ...more,
});
const group = {
  fields: [field('host', { isEndpoint: true }), field('key', { type: 'secret' }), field('model')],
};
const stored = { host: 'https://a.example', key: '******', model: 'a' };

describe('a draft of settings', () => {
  test('changes only what differs from the stored values', () => {
    const changes = listChanges(group, stored, { host: 'https://a.example', model: 'b', key: '' });

    expect(changes.map(({ field, before, after }) => [field.name, before, after])).toEqual([
      ['key', '******', ''],
      ['model', 'a', 'b'],
    ]);
    expect(toValues(changes)).toEqual({ key: '', model: 'b' });
  });

  test('changes nothing if an unset secret stays empty', () => {
    expect(listChanges(group, { ...stored, key: '' }, { key: '' })).toEqual([]);
  });

  test.each([
    ['nothing without a change of a host', {}, []],
    ['nothing for another setting', { model: 'b' }, []],
    ['the stored secret for a new host', { host: 'https://b.example' }, ['key']],
    ['nothing if the secret is typed', { host: 'https://b.example', key: 'k' }, []],
    ['nothing if the secret is removed', { host: '', key: '' }, []],
  ])('needs %s', (_, draft, needed) => {
    expect(listNeededSecrets(group, stored, draft)).toEqual(needed);
  });

  test('needs no secret that is not stored', () => {
    expect(listNeededSecrets(group, { ...stored, key: '' }, { host: 'https://b.example' })).toEqual([]);
  });
});

describe('the status of the site', () => {
  const change = (after: string) => [{ field: field('sys_status'), before: '1', after }];

  test.each(['0', 'false', 'off'])('%s closes it', (status) => {
    expect(closesSite('basics', change(status))).toBe(true);
  });

  test.each(['1', 'OFF', ''])('"%s" does not close it', (status) => {
    expect(closesSite('basics', change(status))).toBe(false);
  });

  test('is a setting of one group only', () => {
    expect(closesSite('shop', change('0'))).toBe(false);
  });
});

test('errors of a refused save are sorted by setting', () => {
  const errors = [
    { path: 'body.values.host', message: 'A' },
    { path: 'aliyun.bucket', message: 'B' },
  ];

  expect(sortErrors(errors)).toEqual({ fields: new Map([['host', 'A']]), others: ['aliyun.bucket: B'] });
});

test('takes what an input holds, and null from an emptied one', () => {
  expect(['a', '', 0, false, undefined, null].map(toSettingValue)).toEqual(['a', '', 0, false, null, null]);
});
