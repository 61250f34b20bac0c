import { admin } from '#shared/http/route.ts';
import { articleData, newArticle } from '../../articles/content-schema.ts';
import { addArticle } from '../../articles/write-articles.ts';

export default admin.post({
  summary: { zh_CN: '新增文章', en: 'Add an article' },
  body: newArticle,
  data: articleData,
  handler: ({ body }) => addArticle(body),
});
