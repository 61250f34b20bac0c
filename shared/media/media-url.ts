import * as z from 'zod/mini';
import { wellFormed } from '#shared/schema/text.ts';
import { mediaRegistry } from './annotation.ts';
import { toPublicUrl, toStoredUrl } from './url.ts';

/**
 * A field that holds the URL of one file, such as a cover or an avatar. Validation turns this site's URL into
 * the stored path (media rule 2), then checks it; `convertMedia` completes it on output (media rule 1).
 *
 * @param checks of the stored form, such as `z.maxLength(500)`
 */
export function mediaUrl(...checks: z.core.$ZodCheck<string>[]): z.ZodMiniString<string> {
  const schema: z.ZodMiniString<string> = z.string().check(
    z.overwrite((url) => toStoredUrl(url)),
    wellFormed,
    ...checks,
  );
  return schema.register(mediaRegistry, { public: toPublicUrl, stored: toStoredUrl });
}
