import * as z from 'zod/mini';
import { McpTool, type ToolContext } from '#shared/tools/mcp-tool.ts';

const input = z.strictObject({
  limit: z._default(z.int().check(z.gte(1), z.lte(20)), 5).check(z.describe('Number of articles, 1 to 20')),
});

const output = z.strictObject({
  articles: z.array(
    z.strictObject({
      id: z.string(),
      title: z.string(),
      category: z.string(),
      published_at: z.nullable(z.string()),
    }),
  ),
});

export default class LatestArticlesTool extends McpTool<typeof input> {
  override readonly name = 'system.latest_articles';
  override readonly title = { zh_CN: '最新文章', en: 'Latest articles' };
  override readonly description =
    'Lists the latest enabled articles, newest first, with title and category, without their text.';
  override readonly inputSchema = input;
  override readonly outputSchema = output;
  override readonly access = 'read';
  override readonly needs = ['contributions'] as const;

  override async handle(
    { limit }: z.output<typeof input>,
    { needs: { contributions } }: ToolContext<unknown, 'contributions'>,
  ) {
    return z.parse(output, { articles: await contributions.listLatest('articles', limit) });
  }
}
