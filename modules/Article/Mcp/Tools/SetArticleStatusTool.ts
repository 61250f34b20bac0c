import { fromRoute } from '#shared/tools/from-route.ts';
import statusRoute from '../../Admin/article/status.ts';

export default class SetArticleStatusTool extends fromRoute(statusRoute, {
  name: 'article.set_status',
  description: 'Users see an article while it is enabled.',
  isIdempotent: true,
  pick: ['id', 'title', 'status', 'version'],
  confirm: true,
}) {}
