import { type Locale, locales } from '#shared/i18n/locale.ts';
import type { Translate } from '#shared/i18n/messages.ts';
import { siteStatusConfig } from '#shared/settings/site-status.ts';
import { type Json, refer } from './json-schema.ts';
import type { Edition } from './texts.ts';

/** A request ID as AWS Lambda makes them. */
export const sampleRequestId = '8f6b3c1e-5f0a-4f7e-9f43-0f6f5f3d2b1a';

/** Sample values for the placeholders of messages. */
export const sampleParams: Record<string, string | number> = {
  count: 1,
  expected: 'application/json',
  extensions: 'jpg, jpeg, png, gif, bmp, webp, svg',
  found: 'onload',
  limit: 5,
  name: 'system.overview',
  offset: 4_194_304,
  reason: 'unreachable',
  seconds: 42,
  size: '64 KiB',
  types: 'image, video, file',
};

const nameExample = (code: string, locale: Locale): string => `${code}.${locale}`;

/** A sample of each code in every locale, for `components`. */
export function describeExamples(codes: readonly string[], { translateTo }: Edition): Json {
  return Object.fromEntries(
    [...new Set(codes)].sort().flatMap((code) =>
      locales.map((locale) => {
        const value = createSample(code, translateTo(locale));
        return [nameExample(code, locale), { summary: `${code} (${locale})`, value }];
      }),
    ),
  );
}

/** References to the samples of codes. @param first the locale whose samples come first */
export function referToExamples(codes: readonly string[], first: Locale): Json {
  const order = [first, ...locales.filter((locale) => locale !== first)];
  const names = codes.flatMap((code) => order.map((locale) => nameExample(code, locale)));
  return Object.fromEntries(names.map((name) => [name, refer('examples', name)]));
}

function createSample(code: string, t: Translate): Json {
  // Operators write this message, in any language.
  const message = code === 'site.closed' ? siteStatusConfig.closedMessage : t(code, sampleParams);
  const errors = [{ path: 'body.nam', message: t('rule.unrecognized') }];
  const sample = { code, message, data: null, request_id: sampleRequestId };
  return code === 'request.invalid' ? { ...sample, errors } : sample;
}
