import { defineContributions, waitingLimit } from '#shared/module/contributions.ts';
import { countArticles, countUnpublished, listLatestArticles } from './articles/article-record.ts';

const permission = 'article/article/list';

export default defineContributions({
  statistics: {
    articles: {
      title: { zh_CN: '文章', en: 'Articles' },
      to: 'article/article',
      permission,
      read: async () => ({ total: await countArticles() }),
    },
  },
  waiting: {
    drafts: {
      title: { zh_CN: '未发布的文章', en: 'Articles that are not published' },
      to: 'article/article?status=disabled',
      permission,
      count: () => countUnpublished(waitingLimit),
    },
  },
  latest: { articles: listLatestArticles },
});
