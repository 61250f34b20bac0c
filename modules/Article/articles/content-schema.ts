import * as z from 'zod/mini';
import { mediaHtml } from '#shared/media/media-html.ts';
import { components } from '#shared/schema/component.ts';
import { articleSummary } from './schema.ts';

// Rich text loads an HTML parser, so what lists need is in `schema.ts`.

/** Most bytes of a content as stored: what a DynamoDB item holds with room to spare. */
export const maxContentBytes = 300 * 1024;

const isShortEnough = (html: string): boolean => Buffer.byteLength(html) <= maxContentBytes;

/** Rich text, measured in UTF-8 bytes of its stored form. */
export const content = mediaHtml(
  z.refine(isShortEnough, { error: 'rule.html_size', params: { max: maxContentBytes } }),
);

/** An article with its content. */
export const articleData = z
  .extend(articleSummary, { content: mediaHtml() })
  .register(components, { id: 'Article' });
