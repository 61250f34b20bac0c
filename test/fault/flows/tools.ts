import * as z from 'zod/mini';
import callRoute from '#modules/System/Admin/ai/mcp/call.ts';
import chatRoute from '#modules/System/Admin/ai/mcp/chat.ts';
import { createConfirmToken } from '#modules/System/assistant/confirm-token.ts';
import { defineEntity } from '#shared/db/entity.ts';
import { singleKey, transact } from '#shared/db/items.ts';
import { putItem } from '#shared/db/writes.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { recordRefusals, recordRequests } from '#shared/http/audit-step.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import adminAuth from '#shared/http/gates/admin-auth.ts';
import { adapt } from '#shared/tools/ai-tool.ts';
import { McpTool } from '#shared/tools/mcp-tool.ts';
import { createEvent } from '../../support/function-event.ts';
import { registryOf } from '../../support/tool-registry.ts';
import type { Answer } from '../world/api.ts';
import { newWord } from '../world/random.ts';
import { type Caller, newAdmin } from '../world/world.ts';
import { defineFlow, type Flow } from './flow.ts';

// No module has a tool that writes, so these flows bring one: routes of the service with another list of tools.

const nameOf = z.strictObject({ name: z.string() });
const notes = defineEntity({
  key: ({ name }: { name: string }) => singleKey(`NOTE#${name}`),
  row: nameOf,
  target: 'note',
  missing: () => new AppError('internal'),
});
const keyOf = (name: string) => notes.key({ name });

class NoteTool extends McpTool<typeof nameOf> {
  override readonly name = 'test.note';
  override readonly description = 'Writes a note.';
  override readonly inputSchema = nameOf;
  override async authorize() {}
  override async handle({ name }: z.output<typeof nameOf>) {
    await transact([putItem({ ...keyOf(name) })]);
    return {};
  }
}
class NoteAdapter extends adapt(NoteTool) {}

const needs = { tools: registryOf([new NoteTool()], [new NoteAdapter()]) };
const gatesOf = (path: string) => [adminAuth({ path, kind: 'write' })];
const limitMs = 29_000;

/** Loads a route at its first use: the environment of the stores is set then. */
function serve(path: string, create: () => ReturnType<typeof endpoint>) {
  let handler: ReturnType<typeof endpoint> | undefined;
  return async (token: string, body: unknown): Promise<Answer> => {
    handler ??= create();
    const begun = performance.now();
    const event = createEvent({
      ...{ method: 'POST', path: `/adminapi/${path}`, body: JSON.stringify(body) },
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    });
    const context = {
      awsRequestId: newWord(),
      getRemainingTimeInMillis: () => limitMs - (performance.now() - begun),
    };
    const { statusCode, body: text = '' } = await handler(event, context as Parameters<typeof handler>[1]);
    const { code, data } = JSON.parse(text);
    return { status: Number(statusCode), code, data, text, durationMs: performance.now() - begun };
  };
}

const [callPath, chatPath] = ['system/ai/mcp/call', 'system/ai/mcp/chat'];
const call = serve(callPath, () =>
  endpoint(callRoute, { name: 'call', gates: gatesOf(callPath), needs, audit: recordRefusals(callPath) }),
);
const chat = serve(chatPath, () =>
  endpoint(chatRoute, { name: 'chat', gates: gatesOf(chatPath), needs, audit: recordRequests(chatPath) }),
);

type State = Caller & { name: string };

const common: Omit<Flow<State>, 'name' | 'act'> = {
  prepare: async () => ({ ...(await newAdmin()), name: newWord() }),
  look: async ({ table }, { name }) => ((await table.get(keyOf(name))) ? 'after' : 'before'),
  isShown: async () => true,
  changes: () => [],
  isRecord: ({ action, target }, { name }) => action === 'tool/test.note' && target === `note:${name}`,
};

const callTool = defineFlow<State>({
  ...common,
  name: 'a tool that writes is called',
  act: (_world, { token, name }) => call(token, { name: 'test.note', arguments: { name } }),
});

const confirmTool = defineFlow<State>({
  ...common,
  name: 'a call of a tool that writes is confirmed',
  async act(_world, { adminId, token, name }) {
    const caller = { admin: { id: adminId }, sessionEpoch: 1 };
    const confirm = createConfirmToken(caller, { name: 'test.note', arguments: { name } });
    const answer = await chat(token, { confirm: [confirm] });
    const failed = answer.code === 'ok' ? answer.data.steps[0]?.error : undefined;
    return failed ? { ...answer, code: failed.code } : answer;
  },
  // The provider answers after the call; its failure changes nothing.
  isTriedCold: true,
});

export const toolFlows: Flow[] = [callTool, confirmTool];
