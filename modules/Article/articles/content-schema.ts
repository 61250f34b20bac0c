import * as z from 'zod/mini';
import { mediaHtml } from '#shared/media/media-html.ts';
import { mediaUrl } from '#shared/media/media-url.ts';
import { richText } from '#shared/records/fields/rich-text.ts';
import { components } from '#shared/schema/component.ts';
import { version } from '#shared/schema/fields.ts';
import { label } from '#shared/schema/marks.ts';
import { recordId, text } from '#shared/schema/text.ts';
import { titled } from '#shared/schema/titled.ts';
import { articleCategory, articleStatus, articleSummary } from './article-record.ts';

// Rich text loads an HTML parser, which lists do not need.

const content = titled({ zh_CN: '内容', en: 'Content' }, richText());

/** `cover` and `summary` default to empty, `status` to enabled. */
export const newArticle = z.strictObject({
  title: titled({ zh_CN: '标题', en: 'Title' }, label(text(1, 200))),
  category: articleCategory,
  cover: titled({ zh_CN: '封面', en: 'Cover', media: 'image' }, z.optional(mediaUrl(z.maxLength(500)))),
  summary: titled({ zh_CN: '摘要', en: 'Summary', type: 'multiline' }, z.optional(text(0, 500))),
  content,
  status: z.optional(articleStatus),
});
export type NewArticle = z.output<typeof newArticle>;

export const articleEdit = z.extend(z.partial(newArticle), { id: recordId, version });

/** An article with its content. */
export const articleData = z
  .extend(articleSummary, { content: titled({ zh_CN: '内容', en: 'Content' }, mediaHtml()) })
  .register(components, { id: 'Article' });
export type Article = z.output<typeof articleData>;
