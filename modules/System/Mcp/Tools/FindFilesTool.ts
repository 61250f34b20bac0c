import { fromRoute } from '#shared/tools/from-route.ts';
import listRoute from '../../Admin/file/list.ts';

export default class FindFilesTool extends fromRoute(listRoute, {
  name: 'system.find_files',
  description: 'Newest first; by type, category or a part of the name.',
}) {}
