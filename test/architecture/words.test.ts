import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { createConsoleDescription } from '#functions/console/create-description.ts';
import type { LocalisedText } from '#functions/console/description.ts';
import { createPermissionTable } from '#functions/discover/permissions.ts';
import { discoverShipped, shippedModules } from '../support/shipped-modules.ts';
import { readSources } from './read-sources.ts';

// One word for one thing, in each language of what operators read.

/** Words that another one stands for. */
const refused = {
  zh_CN: [
    [/添加|新建/, '新增'],
    [/字典数据|数据字典项/, '字典项'],
    [/系统配置/, '系统设置'],
    [/(登录|验证|确认|访问)凭证/, '令牌'],
    [/禁用/, '停用'],
    [/帐号|帐户|账户/, '账号'],
    [/登出|注销/, '退出登录'],
    [/关键字|关键词/, '搜索'],
    [/手机号码/, '手机号'],
    [/上架|下架/, '发布 / 撤下'],
    [/(启用|停用)文章/, '发布 / 撤下'],
  ],
  en: [
    [/\bsign(ed)? (in|out)\b/i, 'log in, log out'],
    [/\buser ?name\b/i, 'account'],
    [/\bunpublish/i, 'withdraw'],
    [/\b(enable|disable) (an|the) article/i, 'publish, withdraw'],
    [/\bdictionary (data|entr)/i, 'dictionary item'],
    [/\bsystem configuration/i, 'system settings'],
    [/\bphone number/i, 'mobile'],
    [/\bkeyword/i, 'search'],
  ],
} as const satisfies Record<keyof LocalisedText, readonly (readonly [RegExp, string])[]>;
type Locale = keyof typeof refused;
const locales = Object.keys(refused) as Locale[];

const folders = ['console', 'shared', ...shippedModules.map((name) => `modules/${name}`)];
const langFolders = [
  'console/base/lang',
  'shared/i18n/lang',
  ...shippedModules.map((name) => `modules/${name}/lang`),
];

/** All texts in a language, each with its file. */
function listTexts(locale: Locale): (readonly [file: string, text: string])[] {
  const quoted = new RegExp(`\\b${locale}:\\s*(?:'((?:[^'\\\\]|\\\\.)*)'|"([^"]*)"|\`([^\`]*)\`)`, 'g');
  const inSources = Object.entries(readSources(folders)).flatMap(([file, source]) =>
    [...source.matchAll(quoted)].map(([, ...texts]) => [file, texts.join('')] as const),
  );
  const inFiles = langFolders.map((folder) => `${folder}/${locale}.json`).filter((file) => existsSync(file));
  return [...inSources, ...inFiles.map((file) => [file, readFileSync(file, 'utf8')] as const)];
}

test.each(locales)('one thing has one word in %s', (locale) => {
  const texts = listTexts(locale);
  expect(texts.length).toBeGreaterThan(500);

  const found = texts.flatMap(([file, text]) =>
    refused[locale].flatMap(([word, chosen]) => {
      const [synonym] = word.exec(text) ?? [];
      return synonym === undefined ? [] : [`${file}: ${synonym} → ${chosen}`];
    }),
  );

  expect(found).toEqual([]);
});

describe('what operators can do', () => {
  /** Chinese has characters of its own, and English has none. */
  const isTranslated = ({ zh_CN, en }: LocalisedText): boolean =>
    /\p{Script=Han}/u.test(zh_CN) && en.trim() !== '' && !/\p{Script=Han}/u.test(en);

  test('is named in both languages: pages, lists, actions, settings, and entries of the audit log', async () => {
    const manifest = await discoverShipped();
    const { pages, settings, modules } = createConsoleDescription(manifest);
    const { permissions, actions } = createPermissionTable(manifest);
    const titles = [
      ...modules.map(({ name, title }) => [name, title] as const),
      ...pages.map(({ path, title }) => [path, title] as const),
      ...pages.flatMap(({ list, actions: all }) =>
        [list, ...all].map(({ path, title }) => [path, title] as const),
      ),
      ...settings.map(({ name, title }) => [name, title] as const),
      ...permissions.map(({ path, title }) => [path, title] as const),
      ...Object.entries(actions),
    ];

    expect(titles.length).toBeGreaterThan(pages.length);
    expect(titles.filter(([, title]) => !isTranslated(title)).map(([name]) => name)).toEqual([]);
  });
});
