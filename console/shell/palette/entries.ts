import type { LocalisedText } from '#shared/schema/component.ts';
import { description } from '../../base/description.ts';
import { locale, localise, t, useLocale } from '../../base/locale.ts';
import { isDark, switchTheme } from '../../base/look/theme.ts';
import { can } from '../../base/session.ts';
import { logOut } from '../../kit/log-out.ts';
import { sortActions } from '../../pages/generated-actions.ts';
import { type Page, pages, settingsPath } from '../pages.ts';

/** The groups of the palette, in their order. */
export const groups = ['recent', 'pages', 'actions', 'records', 'settings'] as const;
export type Group = (typeof groups)[number];

/** Something that the palette opens or does. */
export interface Entry {
  /** Unique among all; kept for the recent ones. */
  key: string;
  group: Exclude<Group, 'recent'>;
  title: string;
  /** Where it belongs: the page of a record, the group of a setting. */
  place: string;
  /** What a search compares: title and place in both languages, and technical names. */
  words: string;
  /** Address below `/console`. */
  to?: string;
  run?(): unknown;
}

const wordsOf = (...texts: (LocalisedText | string)[]): string =>
  texts
    .flatMap((text) => (typeof text === 'string' ? [text] : [text.zh_CN, text.en]))
    .join(' ')
    .toLowerCase();

/** Everything that is known without asking the service. */
export const listEntries = (): Entry[] => [
  ...listPages(),
  ...pages.value.flatMap(listCommands),
  ...listShellActions(),
  ...listSettings(),
];

function listPages(): Entry[] {
  const modules = description.value?.modules ?? [];
  const home = {
    key: '/',
    group: 'pages',
    to: '/',
    title: t('app.home'),
    place: '',
    words: wordsOf(t('app.home')),
  } as const;
  return [
    home,
    ...pages.value.map(({ path, title, module }): Entry => {
      const place = modules.find(({ name }) => name === module)?.title ?? '';
      const [name, folder] = [localise(title), place && localise(place)];
      return {
        ...{ key: `/${path}`, to: `/${path}`, group: 'pages', title: name },
        place: folder === name ? '' : folder,
        words: wordsOf(title, path, place),
      };
    }),
  ];
}

/** What is done on a page: adding a record, and what the page declares. */
function listCommands({ path, title: page, commands = [] }: Page): Entry[] {
  const described = description.value?.pages.find((each) => each.path === path);
  const add = described && sortActions(described, can).add;
  const permitted = commands.filter(({ permission }) => !permission || can(permission));
  return [...(add ? [{ title: add.title, to: '#add' }] : []), ...permitted].map(({ title, to }) => ({
    ...{ key: `/${path}${to}`, to: `/${path}${to}`, group: 'actions', title: localise(title) },
    place: localise(page),
    words: wordsOf(title, page, to),
  }));
}

function listShellActions(): Entry[] {
  const entry = (key: string, title: string, run: () => unknown): Entry => ({
    key,
    group: 'actions',
    title,
    place: '',
    words: wordsOf(title),
    run,
  });
  const other = locale.value === 'en' ? 'zh_CN' : 'en';
  return [
    entry('locale', t('app.switch_locale'), () => useLocale(other)),
    entry('theme', t(isDark.value ? 'app.light' : 'app.dark'), switchTheme),
    entry('log-out', t('app.log_out'), () => logOut()),
  ];
}

function listSettings(): Entry[] {
  if (!pages.value.some(({ path }) => path === settingsPath)) return [];
  return (description.value?.settings ?? []).flatMap(({ name: group, title, fields }) => {
    const toGroup = `/${settingsPath}?group=${group}`;
    return [
      { ...toSetting(toGroup, title), words: wordsOf(title, group) },
      ...fields.map(({ name, label, hint }) => ({
        ...toSetting(`${toGroup}&field=${name}`, label),
        place: localise(title),
        words: wordsOf(label, title, `${group}.${name}`, hint ?? ''),
      })),
    ];
  });
}

const toSetting = (to: string, title: LocalisedText) =>
  ({ key: to, to, group: 'settings', title: localise(title), place: '' }) as const;

/**
 * The entries that hold all words of a text, those that begin with it first.
 *
 * @param text in small letters
 */
export function matchEntries(entries: readonly Entry[], text: string): Entry[] {
  const wanted = text.split(/\s+/).filter(Boolean);
  const rank = ({ title }: Entry): number => {
    const place = title.toLowerCase().indexOf(text);
    return place < 0 ? 2 : Math.min(place, 1);
  };
  return entries
    .filter(({ words }) => wanted.every((word) => words.includes(word)))
    .toSorted((a, b) => rank(a) - rank(b));
}
