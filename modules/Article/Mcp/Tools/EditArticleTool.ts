import { quote } from '#shared/schema/text.ts';
import { fromRoute } from '#shared/tools/from-route.ts';
import type { ToolContext } from '#shared/tools/mcp-tool.ts';
import editRoute from '../../Admin/article/edit.ts';
import { getArticleSummary } from '../../articles/read-articles.ts';

export default class EditArticleTool extends fromRoute(editRoute, {
  name: 'article.edit',
  description: 'Send the version that article.get answered, and the fields to change.',
  pick: ['id', 'title', 'status', 'version'],
  confirm: true,
}) {
  override async describeCall(_context: ToolContext, args: Record<string, unknown>) {
    const title = quote((await getArticleSummary(String(args.id))).title);
    return { zh_CN: `编辑文章${title}`, en: `Edit the article ${title}` };
  }
}
