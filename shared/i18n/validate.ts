import * as z from 'zod/mini';
import enLocale from 'zod/v4/locales/en.js';
import zhCnLocale from 'zod/v4/locales/zh-CN.js';
import type { ErrorDetail } from '#shared/errors/app-error.ts';
import type { Locale } from './locale.ts';
import type { Translate } from './messages.ts';

/** zod's own messages of each locale. */
const localisers: Record<Locale, z.core.$ZodErrorMap> = {
  en: enLocale().localeError,
  zh_CN: zhCnLocale().localeError,
};

/** The parsed value, or what is wrong with it. */
type Validated<Schema extends z.core.$ZodType> =
  | { value: z.output<Schema>; issues?: undefined }
  | { value?: undefined; issues: ErrorDetail[] };

/** The parsed value, or every issue with its path, which begins with `root`, and a message in the locale. */
export function validate<Schema extends z.core.$ZodType>(
  schema: Schema,
  value: unknown,
  { root, locale, t }: { root: string; locale: Locale; t: Translate },
): Validated<Schema> {
  const result = z.safeParse(schema, value, { error: localisers[locale] });
  if (result.success) return { value: result.data };
  return { issues: result.error.issues.flatMap((issue) => toDetails(issue, root, t)) };
}

function toDetails(issue: z.core.$ZodIssue, root: string, t: Translate): ErrorDetail[] {
  const at = (...tail: PropertyKey[]) => [root, ...issue.path, ...tail].map(String).join('.');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: at(key), message: t('rule.unrecognized') }));
  }
  const params = issue.code === 'custom' ? issue.params : undefined;
  return [{ path: at(), message: t(issue.message, params) }];
}
