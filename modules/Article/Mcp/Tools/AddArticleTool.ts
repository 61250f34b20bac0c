import { quote } from '#shared/schema/text.ts';
import { fromRoute } from '#shared/tools/from-route.ts';
import type { ToolContext } from '#shared/tools/mcp-tool.ts';
import addRoute from '../../Admin/article/add.ts';

export default class AddArticleTool extends fromRoute(addRoute, {
  name: 'article.add',
  description: 'The content is HTML. It is published at once unless its status is disabled.',
  isDestructive: false,
  pick: ['id', 'title', 'status', 'version'],
  confirm: true,
}) {
  override async describeCall(_context: ToolContext, args: Record<string, unknown>) {
    const title = quote(String(args.title));
    return { zh_CN: `新增文章${title}`, en: `Add the article ${title}` };
  }
}
