import * as z from 'zod/mini';
import type { RouteReference } from '#shared/http/route.ts';

const id = z.union([z.string(), z.number(), z.null()]);

/** A message of MCP as far as JSON-RPC 2.0 describes it; the rest is MCP's own. */
const answer = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: z.optional(id),
  result: z.optional(z.unknown()),
  error: z.optional(z.looseObject({ code: z.int(), message: z.string(), data: z.optional(z.unknown()) })),
});

const refused = {
  zh_CN: '不是 MCP 请求，或不支持的版本、方法',
  en: 'No request of MCP, or of a revision or method that is not offered',
};

/** What the API reference tells of the MCP server. */
export const mcpReference: RouteReference = {
  body: z.looseObject({
    jsonrpc: z.literal('2.0'),
    method: z.optional(z.string()),
    params: z.optional(z.record(z.string(), z.unknown())),
    id: z.optional(id),
  }),
  answers: [
    {
      status: 200,
      description: { zh_CN: 'MCP 响应', en: 'The answer of MCP' },
      contentType: 'application/json',
      schema: answer,
    },
    { status: 202, description: { zh_CN: '通知，无正文', en: 'To a notification; without a body' } },
    ...[400, 404, 406].map((status) => ({
      status,
      description: refused,
      contentType: 'application/json',
      schema: answer,
    })),
  ],
  example: { body: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} } },
};
