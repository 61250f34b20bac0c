import { ulid } from 'ulid';
import { settleAll } from '#shared/async/settle-all.ts';
import { assertVersion, editRow, putRow, retryOnConflict } from '#shared/db/entity.ts';
import { transact, type Write } from '#shared/db/items.ts';
import { putItem } from '#shared/db/writes.ts';
import { getDictItem } from '#shared/dict/items.ts';
import { getDictType } from '#shared/dict/types.ts';
import { addUsage, removeUsage } from '#shared/dict/usage.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { type ArticleSummary, articles, countArticle } from './article-record.ts';
import type { Article, NewArticle } from './content-schema.ts';
import { categoryType, routePrefix } from './dictionaries.ts';
import { contentKey, getArticle } from './read-articles.ts';

/** Undefined fields stay unchanged. */
type ArticleChanges = Partial<NewArticle>;

/** @throws AppError `request.invalid` for a category that is missing or disabled */
export async function addArticle({ content, ...input }: NewArticle): Promise<Article> {
  await assertOffered(input.category);
  const { title, category, cover = '', summary = '', status = 'enabled' } = input;
  const now = new Date().toISOString();
  const article: ArticleSummary = {
    id: ulid(),
    title,
    category,
    cover,
    summary,
    status,
    version: 1,
    published_at: status === 'enabled' ? now : null,
    created_at: now,
    updated_at: now,
  };
  await transact([
    putRow(articles, article, { content_version: 1 }),
    putContent(article.id, content, 1),
    ...addUsage(categoryType, category, routePrefix, refuseCategory),
    countArticle(1),
  ]);
  return { ...article, content };
}

/**
 * Changes an article of this version. It may keep a disabled or deleted category; a new one must be enabled.
 *
 * @throws AppError `article.not_found`; `version_conflict`; `request.invalid` for a new category that is not enabled
 */
export async function editArticle(id: string, version: number, changes: ArticleChanges): Promise<Article> {
  const old = await getArticle(id);
  assertVersion(old, version);
  return change(old, changes);
}

/** Enables or disables an article. @throws AppError `article.not_found`; `version_conflict` if it keeps changing */
export function setArticleStatus(id: string, status: Article['status']): Promise<Article> {
  return retryOnConflict(10, async () => {
    const old = await getArticle(id);
    return old.status === status ? old : change(old, { status });
  });
}

async function change(old: Article, changes: ArticleChanges): Promise<Article> {
  const { content: oldContent, ...summary } = old;
  const { content = oldContent, ...rest } = changes;
  const { category = old.category, status = old.status } = rest;
  const version = old.version + 1;
  const isMoved = category !== old.category;
  if (isMoved) await assertOffered(category);
  const published_at = old.published_at ?? (status === 'enabled' ? new Date().toISOString() : null);
  const hasContent = changes.content !== undefined;
  const more = hasContent ? { content_version: version } : {};
  const beside = { old: { content: oldContent }, now: { content } };
  const edit = editRow(articles, summary, { ...rest, published_at }, more, beside);
  await transact([
    edit.write,
    ...(hasContent ? [putContent(old.id, content, version)] : []),
    ...(isMoved ? addUsage(categoryType, category, routePrefix, refuseCategory) : []),
    ...(isMoved ? removeUsage(categoryType, old.category, routePrefix) : []),
  ]);
  return { ...edit.row, content };
}

/** The write that stores a content; the same transaction sets the article's `content_version`. */
const putContent = (id: string, content: string, content_version: number): Write =>
  putItem({ ...contentKey(id), content, content_version });

/** Refuses a disabled category or dictionary. The transaction checks again that the category exists. */
async function assertOffered(category: string): Promise<void> {
  try {
    const [type, item] = await settleAll([getDictType(categoryType), getDictItem(categoryType, category)]);
    if (type.enabled && item.status === 'enabled') return;
  } catch (error) {
    if (!(error instanceof AppError) || error.status !== 404) throw error;
  }
  throw refuseCategory();
}

function refuseCategory(): AppError {
  return new AppError('request.invalid', {
    errors: [{ path: 'body.category', message: 'dict.item_not_found' }],
  });
}
