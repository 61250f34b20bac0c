import { admin } from '#shared/http/route.ts';
import { articleData, articleEdit } from '../../articles/content-schema.ts';
import { editArticle } from '../../articles/write-articles.ts';

export default admin.post({
  summary: { zh_CN: '编辑文章', en: 'Edit an article' },
  body: articleEdit,
  data: articleData,
  errors: ['article.not_found', 'version_conflict'],
  handler: ({ body: { id, version, ...changes } }) => editArticle(id, version, changes),
});
