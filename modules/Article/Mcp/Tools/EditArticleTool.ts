import { fromRoute } from '#shared/tools/from-route.ts';
import editRoute from '../../Admin/article/edit.ts';

export default class EditArticleTool extends fromRoute(editRoute, {
  name: 'article.edit',
  description: 'Send the version that article.get answered, and the fields to change.',
  pick: ['id', 'title', 'status', 'version'],
  confirm: true,
}) {}
