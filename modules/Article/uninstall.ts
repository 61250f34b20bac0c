import { defineUninstall } from '#shared/module/module.ts';
import { removeArticles } from './articles/delete-articles.ts';

export default defineUninstall({ run: async () => ({ articles: await removeArticles() }) });
