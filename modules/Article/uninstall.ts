import { defineUninstall } from '#shared/module/uninstall.ts';
import { removeArticles } from './articles/remove-articles.ts';

export default defineUninstall({
  run: async () => ({ articles: await removeArticles() }),
});
