import { AppError } from '#shared/errors/app-error.ts';
import { invokeTool } from '#shared/tools/invoke.ts';
import { prepareCall } from '#shared/tools/prepare-call.ts';
import { createRegistry } from '#shared/tools/registry.ts';
import type { InvokeOptions, ToolCall } from '#shared/tools/tool-call.ts';
import { createConfirmToken } from './confirm-token.ts';
import type { ChatContext } from './context.ts';
import type { ChatStep, PendingCall } from './schema.ts';
import { toProviderName, toToolName } from './tool-name.ts';

/** The tool calls of one chat. */
export interface ToolCalls {
  /** Calls that were made and have ended, in the order in which they began. */
  steps(): ChatStep[];
  pending: readonly PendingCall[];
  /** Whether the model wanted more calls than it may have. */
  isExhausted(): boolean;
  /** Runs a call that the administrator has confirmed. @returns what the model is told of its outcome */
  confirm(call: ToolCall): Promise<string>;
  /**
   * Takes a call of the model: one of a tool that reads is run, one of a tool that writes waits for the
   * administrator, whatever the model says.
   *
   * @param name as the provider spells it
   * @param text the arguments as the model gave them
   * @returns what the model is told; a failure is told too
   */
  take(name: string, text: string): Promise<string>;
}

const noTools = createRegistry([], []);

/** @param limit most calls of the model, those that fail or wait included */
export function createToolCalls(context: ChatContext, limit: number): ToolCalls {
  const { registry, admin, describeError } = context;
  const options: InvokeOptions = { ...context, door: 'chat', root: 'arguments' };
  const begun: ChatStep[] = [];
  const pending: PendingCall[] = [];
  let taken = 0;
  let isExhausted = false;

  async function run(call: ToolCall, known = registry): Promise<string> {
    const step: ChatStep = { name: call.name, arguments: call.arguments };
    begun.push(step);
    try {
      const { result, text } = await invokeTool(known, call, options);
      step.result = result;
      return text;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      step.error = describeError(error);
      return JSON.stringify({ error: step.error });
    }
  }

  function propose(call: ToolCall): string {
    const { name, arguments: args } = call;
    pending.push({ name, arguments: args, confirm_token: createConfirmToken(admin.id, call) });
    return JSON.stringify({ status: 'waits for the confirmation of the administrator' });
  }

  /** Whether a call is good, but not for the model alone. */
  function needsConfirmation(call: ToolCall): boolean {
    if (!registry.adapterOf(call.name) || registry.find(call.name).access === 'read') return false;
    try {
      prepareCall(registry, call, options);
      return true;
    } catch (error) {
      if (error instanceof AppError) return false; // Running it tells the model why.
      throw error;
    }
  }

  return {
    steps: () =>
      begun.filter((step) => 'result' in step || step.error !== undefined).map((step) => ({ ...step })),
    pending,
    isExhausted: () => isExhausted,
    confirm: (call) => run(call),
    async take(name, text) {
      if (taken >= limit) {
        isExhausted = true;
        return JSON.stringify({ error: 'no more calls are allowed' });
      }
      taken += 1;
      const call = { name: toToolName(name), arguments: parseArguments(text) };
      // A name that no provider was told, such as one in our own spelling, is nobody's.
      if (toProviderName(call.name) !== name) return run(call, noTools);
      return needsConfirmation(call) ? propose(call) : run(call);
    },
  };
}

/** Text that is no JSON is kept as it is; no tool takes that. */
function parseArguments(text: string): unknown {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
