import * as z from 'zod/mini';
import { articleStatuses } from '#modules/System/public/articles.ts';
import { itemValue } from '#shared/dict/schema.ts';
import { mediaUrl } from '#shared/media/media-url.ts';
import { components } from '#shared/schema/component.ts';
import { text } from '#shared/schema/text.ts';

const maxCoverLength = 500;

export const articleId = z.string().check(z.regex(/^[0-9A-HJKMNP-TV-Z]{26}$/, { error: 'rule.id' }));
export const title = text(1, 200);
export const summary = text(0, 500);
/** A value of the dictionary `article_category`. */
export const category = itemValue;
export const cover = mediaUrl(z.maxLength(maxCoverLength));
export const status = z.enum(articleStatuses);
/** Version that an edit was made upon; counts from 1. */
export const version = z.int().check(z.gte(1));

/** An article as lists answer it: all but its content. */
export const articleSummary = z
  .strictObject({
    id: articleId,
    title: z.string(),
    category,
    cover: mediaUrl(),
    summary: z.string(),
    status,
    version,
    /** When it was enabled for the first time. */
    published_at: z.nullable(z.iso.datetime()),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .register(components, { id: 'ArticleSummary' });
