import * as z from 'zod/mini';
import { mediaHtml } from '#shared/media/media-html.ts';

/** Rich text, sanitised when it is saved. @param maxBytes of its stored form, in UTF-8; a record holds 400 KiB */
export const richText = (maxBytes = 300 * 1024) =>
  mediaHtml(
    z.refine((html: string) => Buffer.byteLength(html) <= maxBytes, {
      error: 'rule.html_size',
      params: { max: maxBytes },
    }),
  );
