import { fromRoute } from '#shared/tools/from-route.ts';
import listRoute from '../../Admin/user/list.ts';

export default class FindUsersTool extends fromRoute(listRoute, {
  name: 'user-center.find_users',
  description: 'Newest first, or the user with a mobile number.',
}) {}
