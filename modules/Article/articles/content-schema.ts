import * as z from 'zod/mini';
import { mediaHtml } from '#shared/media/media-html.ts';
import { components } from '#shared/schema/component.ts';
import { articleSummary } from './schema.ts';

// Separate from `schema.ts`: rich text loads an HTML parser, which lists do not need.

/** Maximum size of a stored content; a DynamoDB item holds 400 KiB. */
export const maxContentBytes = 300 * 1024;

/** Rich text, measured in UTF-8 bytes of its stored form. */
export const content = mediaHtml(
  z.refine((html: string) => Buffer.byteLength(html) <= maxContentBytes, {
    error: 'rule.html_size',
    params: { max: maxContentBytes },
  }),
);

/** An article with its content. */
export const articleData = z
  .extend(articleSummary, { content: mediaHtml() })
  .register(components, { id: 'Article' });
