import * as z from 'zod/mini';
import { jsonText } from '#shared/http/body/json.ts';
import { RawAnswer, rawAnswer } from '#shared/http/raw-answer.ts';
import { type RouteReference, web } from '#shared/http/route.ts';
import { titled } from '#shared/schema/titled.ts';
import { serveMcp } from '#shared/tools/mcp-service.ts';
import { prefetchMcp } from '../../assistant/mcp/mcp-prefetch.ts';
import { createSurface } from '../../assistant/mcp/mcp-surface.ts';

/** Narrows a connection: prefixes of modules and names of tools, separated by commas. */
const tools = titled(
  { zh_CN: '工具', en: 'Tools' },
  z.optional(z.string().check(z.minLength(1), z.maxLength(2000))),
);

const id = z.union([z.string(), z.number(), z.null()]);

/** A response of JSON-RPC 2.0. */
const answer = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: z.optional(id),
  result: z.optional(z.unknown()),
  error: z.optional(z.looseObject({ code: z.int(), message: z.string(), data: z.optional(z.unknown()) })),
});

const reference: RouteReference = {
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
    { status: 202, description: { zh_CN: '通知，无正文', en: 'Answer to a notification, without a body' } },
    ...[400, 404, 406].map((status) => ({
      status,
      description: {
        zh_CN: '不是 MCP 请求，或不支持的版本、方法',
        en: 'Not an MCP request, or an unsupported revision or method',
      },
      contentType: 'application/json',
      schema: answer,
    })),
  ],
  example: { body: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} } },
};

export default web.post({
  summary: { zh_CN: 'MCP 服务（Streamable HTTP）', en: 'MCP server (Streamable HTTP)' },
  parser: jsonText,
  query: z.object({ tools }),
  body: z.strictObject({ text: z.string() }),
  data: rawAnswer,
  middleware: ['throttle:mcp', 'mcp.auth'],
  needs: ['tools'],
  audit: 'tools',
  limits: { timeoutSeconds: 29, memoryMb: 1024 },
  reference,
  prefetch: ({ event, tools }) => prefetchMcp(tools, event),
  handler: async ({ body: { text }, ...caller }) => {
    const answer = await serveMcp(caller.request.event.headers, text, createSurface(caller));
    return new RawAnswer(answer.status, answer.headers, Buffer.from(answer.body));
  },
});
