import { quote } from '#shared/schema/text.ts';
import { fromRoute } from '#shared/tools/from-route.ts';
import type { ToolContext } from '#shared/tools/mcp-tool.ts';
import addRoute from '../../Admin/setting/dict/data/add.ts';

export default class AddDictItemTool extends fromRoute(addRoute, {
  name: 'system.add_dict_item',
  isDestructive: false,
  pick: ['type_key', 'value', 'name', 'status', 'version'],
  confirm: true,
}) {
  override async describeCall(_context: ToolContext, args: Record<string, unknown>) {
    const [name, type] = [quote(String(args.name)), quote(String(args.type_key))];
    return { zh_CN: `在字典${type}中新增${name}`, en: `Add ${name} to the dictionary ${type}` };
  }
}
