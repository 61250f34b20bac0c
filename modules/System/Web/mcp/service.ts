import * as z from 'zod/mini';
import { jsonText } from '#shared/http/body/json.ts';
import { RawAnswer, rawAnswer } from '#shared/http/raw-answer.ts';
import { web } from '#shared/http/route.ts';
import { serveMcp } from '#shared/tools/mcp-service.ts';
import { mcpReference } from '../../assistant/mcp-reference.ts';
import { createSurface } from '../../assistant/mcp-surface.ts';

export default web.post({
  summary: { zh_CN: 'MCP 服务（Streamable HTTP）', en: 'MCP server (Streamable HTTP)' },
  parser: jsonText,
  body: z.strictObject({ text: z.string() }),
  data: rawAnswer,
  middleware: ['throttle:mcp', 'mcp.auth'],
  needs: ['tools'],
  limits: { timeoutSeconds: 29, memoryMb: 1024 },
  reference: mcpReference,
  handler: async ({ body: { text }, request, tools, locale, t, admin, scope }) => {
    const surface = createSurface({ admin, scope, request, tools, locale, t });
    const answer = await serveMcp(request.event.headers, text, surface);
    const refusal = surface.refusal();
    if (refusal) throw refusal;
    return new RawAnswer(answer.status, answer.headers, Buffer.from(answer.body));
  },
});
