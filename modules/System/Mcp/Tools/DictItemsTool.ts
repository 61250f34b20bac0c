import { fromRoute } from '#shared/tools/from-route.ts';
import listRoute from '../../Admin/setting/dict/data/list.ts';

export default class DictItemsTool extends fromRoute(listRoute, { name: 'system.dict_items' }) {}
