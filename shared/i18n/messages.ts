import type * as z from 'zod/mini';
import type { AppError, ErrorDetail } from '#shared/errors/app-error.ts';
import type { Locale } from './locale.ts';

export type Messages = Record<string, string>;
/** Message texts of every locale, by key. */
export type Catalogue = Record<Locale, Messages>;
/** Returns the text of a message key, with `{name}` replaced from `params`. */
export type Translate = (key: string, params?: Record<string, string | number>) => string;

/** The texts of failures in one locale. */
export interface Texts {
  t: Translate;
  /** Texts of the schema library. */
  localise: z.core.$ZodErrorMap;
}

/** The message of every success. All other texts are loaded on first use (`texts.ts`). */
export const okMessages: Record<Locale, string> = { zh_CN: '成功', en: 'OK' };

/** Creates a translator of one locale. It returns a key without a text unchanged. */
export function createTranslate(messages: readonly Messages[]): Translate {
  return (key, params = {}) => {
    // A key may come from a client: `constructor` is not a message.
    const text = messages.find((each) => Object.hasOwn(each, key))?.[key] ?? key;
    return text.replace(/\{(\w+)\}/g, (whole, name: string) =>
      String(Object.hasOwn(params, name) ? params[name] : whole),
    );
  };
}

/** Most errors of the input that an answer lists; the message counts all. */
const maxDetails = 100;

/** Errors of the input as clients see them. @param params for details without their own */
export const describeDetails = (
  details: readonly ErrorDetail[],
  { t, localise }: Texts,
  params?: ErrorDetail['params'],
) =>
  details.slice(0, maxDetails).map(({ path, message, params: own = params }) => ({
    path,
    message: typeof message === 'string' ? t(message, own) : message(localise),
  }));

/** An error as clients see it. */
export function describeError({ code, messageKey, params, text, errors }: AppError, texts: Texts) {
  const details = errors && describeDetails(errors, texts, params);
  const message = text ?? texts.t(messageKey, { count: errors?.length ?? 0, ...params });
  return { code, message, ...(details && { errors: details }) };
}
