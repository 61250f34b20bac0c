import { quote } from '#shared/schema/text.ts';
import { fromRoute } from '#shared/tools/from-route.ts';
import type { ToolContext } from '#shared/tools/mcp-tool.ts';
import statusRoute from '../../Admin/article/status.ts';
import { getArticleSummary } from '../../articles/read-articles.ts';

export default class SetArticleStatusTool extends fromRoute(statusRoute, {
  name: 'article.set_status',
  description: 'Users see an article while its status is enabled, which means published.',
  isIdempotent: true,
  pick: ['id', 'title', 'status', 'version'],
  confirm: true,
}) {
  override async describeCall(_context: ToolContext, args: Record<string, unknown>) {
    const title = quote((await getArticleSummary(String(args.id))).title);
    return args.status === 'enabled'
      ? { zh_CN: `发布文章${title}`, en: `Publish the article ${title}` }
      : { zh_CN: `撤下文章${title}`, en: `Withdraw the article ${title}` };
  }
}
