import * as z from 'zod/mini';
import callRoute from '#modules/System/Admin/ai/mcp/call.ts';
import chatRoute from '#modules/System/Admin/ai/mcp/chat.ts';
import rpcRoute from '#modules/System/Admin/ai/mcp/rpc.ts';
import toolsRoute from '#modules/System/Admin/ai/mcp/tools.ts';
import serviceRoute from '#modules/System/Web/mcp/service.ts';
import type { Permission } from '#shared/auth/permission.ts';
import { recordRefusals } from '#shared/http/audit-step.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import adminAuth from '#shared/http/gates/admin-auth.ts';
import mcpAuth from '#shared/http/gates/mcp-auth.ts';
import type { Gate } from '#shared/http/request-context.ts';
import type { Route } from '#shared/http/route.ts';
import type { ToolRegistry } from '#shared/tools/registry.ts';
import type { OpenAiDouble } from '../../../../doubles/openai.ts';
import { createContext, createEvent } from '../../../shared/http/fake-request.ts';

/** The ways to call a tool. */
export type Channel = 'mcp' | 'call' | 'rpc' | 'chat';
export const channels: readonly Channel[] = ['mcp', 'call', 'rpc', 'chat'];

export interface Channels {
  /** `runs`, or the code of the refusal with the missing permission. */
  attempt(channel: Channel, bearer: string, name: string, args?: object): Promise<string>;
  /** Names of the tools that a caller is shown. */
  list(channel: Channel, bearer: string): Promise<string[]>;
  /** Lets the model propose a call. @returns its confirm token */
  propose(bearer: string, name: string, args: object): Promise<string>;
  confirm(bearer: string, token: string): Promise<string>;
}

const failure = z.object({
  code: z.string(),
  errors: z.optional(z.array(z.object({ path: z.string() }))),
});
type Failure = z.infer<typeof failure>;
const named = z.array(z.object({ name: z.string() }));
const chatData = z.object({
  steps: z.array(z.object({ error: z.optional(failure) })),
  pending: z.array(z.object({ confirm_token: z.string() })),
});
const result = z.object({
  isError: z.optional(z.boolean()),
  content: z.optional(z.array(z.object({ text: z.string() }))),
  tools: z.optional(named),
});
const rpcAnswer = z.object({
  result: z.optional(result),
  error: z.optional(z.object({ data: z.optional(failure) })),
});

/** Names as tools have them. */
const readPortable = (tools: z.infer<typeof named>) =>
  tools.map(({ name }) => ({ name: name.replace('__', '.') }));

const format = ({ code, errors = [] }: Failure): string =>
  [code, ...errors.map(({ path }) => path)].join(' ');

/** The routes of tools as their entries build them, with a registry of the test. */
export function openChannels(tools: ToolRegistry, provider: () => OpenAiDouble): Channels {
  const open = (route: Route, gate: Gate, action?: string) => {
    const audit = action === undefined ? {} : { audit: recordRefusals(action) };
    const handler = endpoint(route, { name: 'test', gates: [gate], needs: { tools }, ...audit });
    return async (bearer: string, body?: object) => {
      const headers = { authorization: `Bearer ${bearer}` };
      const request = body ? { method: 'POST' as const, headers, body } : { headers };
      const answer = await handler(createEvent(request), createContext());
      const { statusCode: status = 0, body: sent = 'null', isBase64Encoded } = answer;
      const text = isBase64Encoded ? Buffer.from(sent, 'base64').toString() : sent;
      return { status, json: JSON.parse(text) };
    };
  };
  const openAdmin = (route: Route, name: string) => {
    const permission: Permission = { path: `system/ai/mcp/${name}`, kind: 'write' };
    return open(route, adminAuth(permission), permission.path);
  };
  const send = {
    call: openAdmin(callRoute, 'call'),
    rpc: openAdmin(rpcRoute, 'rpc'),
    chat: openAdmin(chatRoute, 'chat'),
    tools: open(toolsRoute, adminAuth('login')),
    mcp: open(serviceRoute, mcpAuth),
  };
  const sendRpc = (channel: 'mcp' | 'rpc', bearer: string, method: string, params: object) =>
    send[channel](bearer, { jsonrpc: '2.0', id: 1, method, params });

  async function chat(bearer: string, body: object): Promise<z.infer<typeof chatData> | Failure> {
    const { status, json } = await send.chat(bearer, body);
    return status === 200 ? z.parse(chatData, json.data) : z.parse(failure, json);
  }
  async function propose(bearer: string, name: string, args: object) {
    const call = { name: name.replace('.', '__'), arguments: args };
    provider().script({ calls: [call] }, { content: 'done' });
    return chat(bearer, { message: 'hello' });
  }
  const formatStep = (answer: Awaited<ReturnType<typeof chat>>): string => {
    if ('code' in answer) return format(answer);
    const [step] = answer.steps;
    return step?.error ? format(step.error) : 'runs';
  };
  async function confirm(bearer: string, token: string): Promise<string> {
    provider().script({ content: 'done' });
    return formatStep(await chat(bearer, { confirm: [token] }));
  }

  async function attemptMcp(bearer: string, params: object): Promise<string> {
    const { status, json } = await sendRpc('mcp', bearer, 'tools/call', params);
    if (status !== 200) return format(z.parse(failure, json));
    const { isError, content: [first] = [] } = z.parse(z.object({ result }), json).result;
    if (!isError) return 'runs';
    const lines = first?.text.split('\n').map((line) => /^(.+?): /.exec(line)?.[1]) ?? [];
    return lines.join(' ');
  }

  const attempts: Record<Channel, (bearer: string, name: string, args: object) => Promise<string>> = {
    mcp: (bearer, name, args) => attemptMcp(bearer, { name, arguments: args }),
    call: async (bearer, name, args) => {
      const { status, json } = await send.call(bearer, { name, arguments: args });
      return status === 200 ? 'runs' : format(z.parse(failure, json));
    },
    rpc: async (bearer, name, args) => {
      const { status, json } = await sendRpc('rpc', bearer, 'tools/call', { name, arguments: args });
      if (status !== 200) return format(z.parse(failure, json));
      const { error } = z.parse(rpcAnswer, json);
      return error ? format(z.parse(failure, error.data)) : 'runs';
    },
    chat: async (bearer, name, args) => {
      const answer = await propose(bearer, name, args);
      const [waiting] = 'pending' in answer ? answer.pending : [];
      return waiting ? confirm(bearer, waiting.confirm_token) : formatStep(answer);
    },
  };

  const lists: Record<Channel, (bearer: string) => Promise<z.infer<typeof named>>> = {
    mcp: async (bearer) => {
      const { json } = await sendRpc('mcp', bearer, 'tools/list', {});
      return readPortable(z.parse(rpcAnswer, json).result?.tools ?? []);
    },
    call: async (bearer) => z.parse(named, (await send.tools(bearer)).json.data.tools),
    rpc: async (bearer) => {
      const { json } = await sendRpc('rpc', bearer, 'tools/list', {});
      return z.parse(rpcAnswer, json).result?.tools ?? [];
    },
    chat: async (bearer) => {
      provider().script({ content: 'done' });
      await chat(bearer, { message: 'hello' });
      const offered = provider().requests.at(-1)?.tools ?? [];
      return readPortable(offered.map((tool) => tool.function));
    },
  };

  return {
    attempt: (channel, bearer, name, args = {}) => attempts[channel](bearer, name, args),
    list: async (channel, bearer) => (await lists[channel](bearer)).map(({ name }) => name),
    async propose(bearer, name, args) {
      const answer = await propose(bearer, name, args);
      const [waiting] = 'pending' in answer ? answer.pending : [];
      if (!waiting) throw new Error('the call does not wait', { cause: answer });
      return waiting.confirm_token;
    },
    confirm,
  };
}
