import { settleAll } from '#shared/async/settle-all.ts';
import type { Locale } from './locale.ts';
import { createTranslate, type Messages, type Texts } from './messages.ts';

/** Loads the texts of failures in the locale of a request. */
export type LoadTexts = () => Promise<Texts>;

/** Loads the messages of a module, by locale. */
export type MessageLoaders = Record<Locale, () => Promise<{ default: Messages }>>;

const platform = {
  zh_CN: () => import('./lang/zh_CN.ts'),
  en: () => import('./lang/en.ts'),
} satisfies Record<Locale, unknown>;

/** Texts of a locale, loaded on first use: a request that succeeds needs none. @param modules their messages */
export function createTexts(locale: Locale, modules: readonly MessageLoaders[] = []): LoadTexts {
  let known: Texts | undefined;
  return async () => {
    if (known) return known;
    const [{ messages, localise }, ...others] = await settleAll([
      platform[locale](),
      ...modules.map((load) => load[locale]()),
    ]);
    const t = createTranslate([messages, ...others.map((each) => each.default)]);
    known = { t, localise };
    return known;
  };
}
