import { fromRoute } from '#shared/tools/from-route.ts';
import addRoute from '../../Admin/article/add.ts';

export default class AddArticleTool extends fromRoute(addRoute, {
  name: 'article.add',
  description: 'The content is HTML. It is published at once unless its status is disabled.',
  isDestructive: false,
  pick: ['id', 'title', 'status', 'version'],
  confirm: true,
}) {}
