import * as z from 'zod/mini';
import { wellFormed } from '#shared/schema/text.ts';
import { mediaRegistry } from './annotation.ts';
import { toPublicHtml, toStoredHtml } from './html.ts';

/**
 * A field that holds rich text, such as the content of an article. Validation shortens this site's URLs in
 * its `src`, `href` and `poster` (media rules 2 and 3), then checks it; `convertMedia` completes them on
 * output (media rule 1).
 *
 * @param checks of the stored form, such as its size
 */
export function mediaHtml(...checks: z.core.$ZodCheck<string>[]): z.ZodMiniString<string> {
  const schema: z.ZodMiniString<string> = z.string().check(
    z.overwrite((html) => toStoredHtml(html)),
    wellFormed,
    ...checks,
  );
  return schema.register(mediaRegistry, { public: toPublicHtml, stored: toStoredHtml });
}
