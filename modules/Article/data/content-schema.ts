import * as z from 'zod/mini';
import { mediaHtml } from '#shared/media/media-html.ts';
import { articleSummary } from './schema.ts';

// Rich text loads an HTML parser, so what lists need is in `schema.ts`.

/** Most bytes of a content as stored: what a DynamoDB item holds with room to spare. */
export const maxContentBytes = 300 * 1024;

function checkContent({ value, issues }: z.core.ParsePayload<string>): void {
  if (!value.isWellFormed()) issues.push({ code: 'invalid_format', format: 'UTF-8', input: value });
  if (Buffer.byteLength(value) > maxContentBytes) {
    // zod counts bytes of files only.
    issues.push({
      code: 'too_big',
      origin: 'file',
      maximum: maxContentBytes,
      inclusive: true,
      input: value,
    });
  }
}

/** Rich text, measured in UTF-8 bytes of its stored form. */
export const content = mediaHtml(z.check(checkContent));

/** An article with its content. */
export const articleData = z.extend(articleSummary, { content: mediaHtml() });
