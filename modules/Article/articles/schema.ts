import * as z from 'zod/mini';
import { itemValue } from '#shared/dict/schema.ts';
import { mediaUrl } from '#shared/media/media-url.ts';
import { text } from '#shared/schema/text.ts';

export {
  articleId,
  articleStatus as status,
  articleSummary,
  articleVersion as version,
} from '#modules/System/public/articles.ts';

export const title = text(1, 200);
export const summary = text(0, 500);
/** A value of the dictionary `article_category`. */
export const category = itemValue;
export const cover = mediaUrl(z.maxLength(500));
