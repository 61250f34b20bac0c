import type { AppError } from '#shared/errors/app-error.ts';
import en from './lang/en.json' with { type: 'json' };
import zhCN from './lang/zh_CN.json' with { type: 'json' };
import type { Locale } from './locale.ts';

export type Messages = Record<string, string>;
/** Message texts of every locale, by key. */
export type Catalogue = Record<Locale, Messages>;
/** Returns the text of a message key, with `{name}` replaced from `params`. */
export type Translate = (key: string, params?: Record<string, string | number>) => string;

export const sharedMessages: Catalogue = { zh_CN: zhCN, en };

/** Creates a translator with the messages of modules. It returns a key without a text unchanged. */
export function createTranslate(locale: Locale, others: readonly Catalogue[] = []): Translate {
  return (key, params = {}) => {
    // A key may come from a client: `constructor` is not a message.
    const found = [sharedMessages, ...others].find((each) => Object.hasOwn(each[locale], key));
    const text = found?.[locale][key] ?? key;
    return text.replace(/\{(\w+)\}/g, (whole, name: string) =>
      String(Object.hasOwn(params, name) ? params[name] : whole),
    );
  };
}

/** Most errors of the input that an answer lists; the message counts all. */
export const maxDetails = 100;

/** An error as clients see it. */
export function describeError({ code, messageKey, params, text, errors }: AppError, t: Translate) {
  const details = errors
    ?.slice(0, maxDetails)
    .map(({ path, message }) => ({ path, message: t(message, params) }));
  const message = text ?? t(messageKey, { count: errors?.length ?? 0, ...params });
  return { code, message, ...(details && { errors: details }) };
}
