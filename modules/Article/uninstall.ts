import { defineUninstall } from '#shared/module/uninstall.ts';
import { removeArticles } from './articles/delete-articles.ts';

export default defineUninstall({
  run: async () => ({ articles: await removeArticles() }),
});
