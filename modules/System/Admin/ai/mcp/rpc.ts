import * as z from 'zod/mini';
import { jsonText, measureBody, readBody } from '#shared/http/body/json.ts';
import { rawAnswer } from '#shared/http/raw-answer.ts';
import { admin } from '#shared/http/route.ts';
import { answerRpc } from '#shared/http/rpc/answer-rpc.ts';
import { rpcResponse } from '#shared/http/rpc/rpc-answer.ts';
import { readMethod, rpcRequest } from '#shared/http/rpc/rpc-request.ts';
import { chatMethod, createToolMethods } from '../../../assistant/tool-methods.ts';

const bodyLimitBytes = 256 * 1024;

export default admin.post({
  summary: {
    zh_CN: '以 JSON-RPC 使用 MCP 工具和助手',
    en: 'Use the MCP tools and the assistant by JSON-RPC',
  },
  parser: jsonText,
  bodyLimitBytes,
  body: z.strictObject({ text: z.string() }),
  data: rawAnswer,
  middleware: ['throttle:ai'],
  // Tools alone cost nothing; what is too large to be looked into is refused after the gates.
  isThrottled: (event) => measureBody(event) <= bodyLimitBytes && readMethod(readBody(event)) === chatMethod,
  needs: ['tools'],
  limits: { timeoutSeconds: 29 },
  reference: {
    body: rpcRequest,
    answers: [
      {
        status: 200,
        description: { zh_CN: 'JSON-RPC 2.0 响应', en: 'A response of JSON-RPC 2.0' },
        contentType: 'application/json',
        schema: rpcResponse,
      },
      { status: 204, description: { zh_CN: '通知没有响应', en: 'Nothing, to a notification' } },
    ],
  },
  handler: (context) => {
    const { body, request, locale, t } = context;
    return answerRpc(body.text, createToolMethods(context), { locale, t, requestId: request.id });
  },
});
