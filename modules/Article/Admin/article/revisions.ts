import { defineRevisionsRoute } from '#shared/http/revisions-route.ts';
import { recordId } from '#shared/schema/text.ts';
import { articles } from '../../articles/article-record.ts';
import { articleData } from '../../articles/content-schema.ts';

export default defineRevisionsRoute(articles, {
  summary: { zh_CN: '文章的修改历史', en: 'The history of an article' },
  keys: { id: recordId },
  data: articleData,
});
