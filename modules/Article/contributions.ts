import { defineContributions } from '#shared/module/contributions.ts';
import { countArticles, listLatestArticles } from './articles/article-record.ts';

export default defineContributions({
  statistics: { articles: countArticles },
  latest: { articles: listLatestArticles },
});
