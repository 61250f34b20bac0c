import { fromRoute } from '#shared/tools/from-route.ts';
import listRoute from '../../Admin/setting/dict/type/list.ts';

export default class DictTypesTool extends fromRoute(listRoute, {
  name: 'system.dict_types',
  description: 'They are the sets of options that records use.',
}) {}
