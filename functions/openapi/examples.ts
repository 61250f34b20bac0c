import { siteStatusConfig } from '#shared/config/site-status.ts';
import type { ErrorCode } from '#shared/errors/catalogue.ts';
import { type Locale, locales } from '#shared/i18n/locale.ts';
import { createTranslate } from '#shared/i18n/messages.ts';
import { sampleParams, sampleRequestId } from './samples.ts';
import type { Json } from './types.ts';

const nameExample = (code: ErrorCode, locale: Locale): string => `${code}.${locale}`;

/** A sample of each code in every locale, for `components`. */
export function describeExamples(codes: readonly ErrorCode[]): Json {
  return Object.fromEntries(
    [...new Set(codes)].sort().flatMap((code) =>
      locales.map((locale) => {
        const value = createSample(code, locale);
        return [nameExample(code, locale), { summary: `${code} (${locale})`, value }];
      }),
    ),
  );
}

/** References to the samples of some codes, those in a locale before those in others. */
export function referToExamples(codes: readonly ErrorCode[], first: Locale): Json {
  const order = [first, ...locales.filter((locale) => locale !== first)];
  const names = codes.flatMap((code) => order.map((locale) => nameExample(code, locale)));
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/examples/${name}` }]));
}

function createSample(code: ErrorCode, locale: Locale): Json {
  const t = createTranslate(locale);
  // Operators write the close message, in whatever language.
  const message = code === 'site.closed' ? siteStatusConfig.closedMessage : t(code, sampleParams);
  const errors = [{ path: 'body.nam', message: t('rule.unrecognized') }];
  return {
    code,
    message,
    data: null,
    request_id: sampleRequestId,
    ...(code === 'request.invalid' && { errors }),
  };
}
