import * as z from 'zod/mini';
import { type ArticleSummary, toArticleSummary } from '#modules/System/public/articles.ts';
import { getItems, type Item } from '#shared/db/items.ts';
import { keys } from '#shared/db/keys.ts';
import { AppError } from '#shared/errors/app-error.ts';

/** An article with its rich text. */
export interface Article extends ArticleSummary {
  content: string;
}

/** Of an article and of its content: the version of the article that the content came with. */
const contentVersion = z.object({ content_version: z.number() });
const storedContent = z.extend(contentVersion, { content: z.string() });

const readTries = 5;

/**
 * An article with its content, strongly consistent.
 *
 * @throws AppError `article.not_found`
 */
export async function getArticle(id: string): Promise<Article> {
  for (let tries = 0; tries < readTries; tries += 1) {
    const { sk } = keys.article(id);
    const items = await getItems([keys.article(id), keys.articleContent(id)]);
    const record = items.find((item) => item.sk === sk);
    if (!record) throw new AppError('article.not_found');
    const content = matchContent(
      record,
      items.find((item) => item.sk !== sk),
    );
    if (content !== undefined) return { ...toArticleSummary(record), content };
  }
  throw new AppError('database.unavailable', { cause: `the content of article ${id} keeps changing` });
}

/** The content of an article; undefined where an edit came between the reads of the two items. */
function matchContent(record: Item, item: Item | undefined): string | undefined {
  if (!item) return undefined;
  const { content, content_version } = z.parse(storedContent, item);
  return z.parse(contentVersion, record).content_version === content_version ? content : undefined;
}
