import { describe, expect, test } from '@jest/globals';
import * as z from 'zod/mini';
import { describeSettings } from '#functions/console/settings.ts';
import system from '#modules/System/module.ts';
import { line } from '#shared/schema/text.ts';
import { type ConfigKey, setting, textSetting } from '#shared/settings/group.ts';

const description = { zh_CN: '甲', en: 'A' };
const of = (keys: Record<string, ConfigKey>) =>
  describeSettings({
    name: 'Shop',
    title: description,
    version: '1.0.0',
    configs: [{ name: 'shop', title: { zh_CN: '商店', en: 'Shop' }, keys }],
  });
const hinted = (hints: object, schema: z.ZodMiniType<string> = z.string()): ConfigKey =>
  setting({ schema, default: '', description, hints });
const describeOne = (key: ConfigKey) => of({ key })[0]?.fields[0];

describe('the description of settings', () => {
  test('has each group with its module, title and settings in both locales', () => {
    const [group] = of({ title: textSetting(line(9), '标题', 'Title') });

    expect(group).toMatchObject({ name: 'shop', module: 'Shop', title: { zh_CN: '商店', en: 'Shop' } });
    expect(group?.fields).toMatchObject([
      { name: 'title', label: { zh_CN: '标题', en: 'Title' }, type: 'text', default: '', maxLength: 9 },
    ]);
  });

  test('takes what follows the name of a setting as its hint', () => {
    expect(describeOne(textSetting(line(9), '地域，例如 ap', 'Region, as ap'))).toMatchObject({
      label: { zh_CN: '地域', en: 'Region' },
      hint: { zh_CN: '例如 ap', en: 'As ap' },
    });
    expect(describeOne(textSetting(line(9), '短信模板：登录', 'Template'))).not.toHaveProperty('hint');
  });

  test.each<[string, ConfigKey, object]>([
    ['a secret', textSetting(z.string(), '甲', 'A', { secret: true }), { type: 'secret', default: '' }],
    ['an endpoint', textSetting(z.string(), '甲', 'A', { endpoint: true }), { isEndpoint: true }],
    [
      'a number with its limits',
      setting({ schema: z.int().check(z.gte(1), z.lte(9)), default: 5, description }),
      { type: 'integer', min: 1, max: 9, default: 5 },
    ],
    ['a kind from its hints', hinted({ type: 'multiline' }), { type: 'multiline' }],
    [
      'an enum with its own label for one value',
      hinted({ options: { '': { zh_CN: '无', en: 'None' } } }, z.enum(['', 'a'])),
      {
        type: 'enum',
        options: [
          { value: '', label: { zh_CN: '无', en: 'None' } },
          { value: 'a', label: { zh_CN: 'a', en: 'a' } },
        ],
      },
    ],
    [
      'a text with choices',
      hinted({ options: { on: description } }),
      { type: 'enum', options: [{ value: 'on', label: description }] },
    ],
  ])('describes %s', (_, key, expected) => {
    expect(describeOne(key)).toMatchObject(expected);
  });

  test('names a group without a title by its name', () => {
    const manifest = { name: 'Shop', title: description, version: '1.0.0' };

    expect(describeSettings({ ...manifest, configs: [{ name: 'shop', keys: {} }] })).toMatchObject([
      { title: { zh_CN: 'shop', en: 'shop' } },
    ]);
    expect(describeSettings(manifest)).toEqual([]);
  });

  test('of the module System says sizes with their unit, and choices by their labels only', () => {
    const fields = describeSettings(system).flatMap(({ fields }) => fields);
    const hintOf = (name: string) => fields.find((field) => field.name === name)?.hint?.en ?? '';

    for (const { name } of fields.filter(({ type }) => type === 'bytes'))
      expect(hintOf(name)).toMatch(/ MB$/);
    expect(hintOf('guest_site_daily_size')).toBe('If empty, 2048 MB');
    for (const { hint, options = [] } of fields) {
      const raw = options.filter(({ value, label }) => String(value).length > 1 && value !== label.en);
      for (const { value } of raw) expect(hint?.en ?? '').not.toMatch(new RegExp(`\\b${value}\\b`));
    }
  });

  test('has a title for each group of the module System', () => {
    expect(system.configs?.filter(({ title }) => !title)).toEqual([]);
  });
});
