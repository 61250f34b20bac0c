import { fromRoute } from '#shared/tools/from-route.ts';
import listRoute from '../../Admin/article/list.ts';

export default class ListArticlesTool extends fromRoute(listRoute, {
  name: 'article.list',
  description: 'Newest first, without their content.',
}) {}
