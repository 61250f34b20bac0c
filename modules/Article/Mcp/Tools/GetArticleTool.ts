import * as z from 'zod/mini';
import { recordId } from '#shared/schema/text.ts';
import { fromRoute } from '#shared/tools/from-route.ts';
import type { ToolContext } from '#shared/tools/mcp-tool.ts';
import detailRoute from '../../Admin/article/detail.ts';
import { articleData } from '../../articles/content-schema.ts';

/** Longest part of a content, in UTF-16 units; a result holds 64 KiB. */
const partLength = 15_000;

const base = fromRoute(detailRoute, {
  name: 'article.get',
  description: 'A long content comes in parts: call again with content_from until content_next is null.',
});

export default class GetArticleTool extends base {
  override readonly inputSchema = z.strictObject({
    id: recordId,
    content_from: z
      ._default(z.int().check(z.gte(0)), 0)
      .check(z.describe('Where the part of the content begins; 0, or content_next of the part before')),
  });
  override readonly outputSchema = z.extend(articleData, {
    content_length: z.int(),
    content_next: z.nullable(z.int()),
  });

  override async handle(
    { id, content_from: start }: z.output<GetArticleTool['inputSchema']>,
    context: ToolContext,
  ) {
    const article = Object(await super.handle({ id }, context));
    const { content } = z.parse(z.looseObject({ content: z.string() }), article);
    const end = start + partLength;
    return {
      ...article,
      content: content.slice(start, end),
      content_length: content.length,
      content_next: end < content.length ? end : null,
    };
  }
}
