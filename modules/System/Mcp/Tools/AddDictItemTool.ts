import { fromRoute } from '#shared/tools/from-route.ts';
import addRoute from '../../Admin/setting/dict/data/add.ts';

export default class AddDictItemTool extends fromRoute(addRoute, {
  name: 'system.add_dict_item',
  isDestructive: false,
  pick: ['type_key', 'value', 'name', 'status', 'version'],
  confirm: true,
}) {}
