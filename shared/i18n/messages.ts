import en from './lang/en.json' with { type: 'json' };
import zhCN from './lang/zh_CN.json' with { type: 'json' };
import type { Locale } from './locale.ts';

export type Messages = Record<string, string>;
/** Message texts of every locale, by key. */
export type Catalogue = Record<Locale, Messages>;
/** Makes the text of a message key; `{name}` in it is filled from `params`. */
export type Translate = (key: string, params?: Record<string, string | number>) => string;

export const sharedMessages: Catalogue = { zh_CN: zhCN, en };

/** A translator for one request; a key without a text stands for itself. */
export function createTranslate(locale: Locale): Translate {
  return (key, params = {}) => {
    const text = textOf(sharedMessages[locale], key) ?? key;
    return text.replace(/\{(\w+)\}/g, (whole, name: string) =>
      String(Object.hasOwn(params, name) ? params[name] : whole),
    );
  };
}

// Keys may come from elsewhere: `constructor` is none of ours.
const textOf = (messages: Messages, key: string): string | undefined =>
  Object.hasOwn(messages, key) ? messages[key] : undefined;
