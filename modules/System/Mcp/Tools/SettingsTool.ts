import { fromRoute } from '#shared/tools/from-route.ts';
import listRoute from '../../Admin/setting/config/list.ts';

export default class SettingsTool extends fromRoute(listRoute, {
  name: 'system.settings',
  description: 'Secret values are not shown.',
}) {}
