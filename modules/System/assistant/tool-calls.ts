import { AppError } from '#shared/errors/app-error.ts';
import { describeError } from '#shared/i18n/describe-error.ts';
import { invokeTool } from '#shared/tools/invoke.ts';
import { prepareCall } from '#shared/tools/prepare-call.ts';
import { createRegistry, type ToolRegistry } from '#shared/tools/registry.ts';
import type { InvokeOptions, ToolCall, ToolCaller } from '#shared/tools/tool-call.ts';
import { createConfirmToken } from './confirm-token.ts';
import type { ChatStep, PendingCall } from './schema.ts';
import { toProviderName, toToolName } from './tool-name.ts';

const noTools = createRegistry([], []);

/** For whom the assistant works, and with what; the context of a route with tools is one. */
export interface ChatCaller extends ToolCaller {
  tools: ToolRegistry;
}

/** The tool calls of one chat. */
export class ToolCalls {
  readonly pending: PendingCall[] = [];
  /** Whether the model wanted more calls than it may have. */
  isExhausted = false;
  readonly #tools: ToolRegistry;
  readonly #options: InvokeOptions;
  readonly #begun: ChatStep[] = [];
  #left: number;

  /** @param limit most calls of the model, those that fail or wait included */
  constructor(caller: ChatCaller, limit: number) {
    this.#tools = caller.tools;
    this.#options = { ...caller, door: 'chat', root: 'arguments' };
    this.#left = limit;
  }

  /** Calls that were made and have ended, in the order in which they began. */
  get steps(): ChatStep[] {
    return this.#begun.filter((step) => 'result' in step || step.error).map((step) => ({ ...step }));
  }

  /** Runs a call that the administrator has confirmed. @returns what the model is told of its outcome */
  confirm(call: ToolCall): Promise<string> {
    return this.#run(call, this.#tools);
  }

  /**
   * Takes a call of the model: one of a tool that reads is run, one of a tool that writes waits for the
   * administrator, whatever the model says.
   *
   * @param name as the provider spells it
   * @param text the arguments as the model gave them
   * @returns what the model is told; a failure is told too
   */
  async take(name: string, text: string): Promise<string> {
    if (this.#left <= 0) {
      this.isExhausted = true;
      return JSON.stringify({ error: 'no more calls are allowed' });
    }
    this.#left -= 1;
    const call = { name: toToolName(name), arguments: parseArguments(text) };
    // A name that no provider was told, such as one in our own spelling, is nobody's.
    const isKnown = toProviderName(call.name) === name && this.#tools.adapterOf(call.name) !== undefined;
    if (!isKnown) return this.#run(call, noTools);
    return this.#tools.find(call.name).access === 'read' ? this.#run(call, this.#tools) : this.#propose(call);
  }

  async #run(call: ToolCall, registry: ToolRegistry): Promise<string> {
    const step = this.#begin(call);
    try {
      const { result, text } = await invokeTool(registry, call, this.#options);
      step.result = result;
      return text;
    } catch (error) {
      return this.#fail(step, error);
    }
  }

  /** Lets a call wait for the administrator, unless it could not be made anyway. */
  #propose(call: ToolCall): string {
    try {
      prepareCall(this.#tools, call, this.#options);
    } catch (error) {
      return this.#fail(this.#begin(call), error);
    }
    const { name, arguments: args } = call;
    this.pending.push({
      name,
      arguments: args,
      confirm_token: createConfirmToken(this.#options.admin.id, call),
    });
    return JSON.stringify({ status: 'waits for the confirmation of the administrator' });
  }

  #begin({ name, arguments: args }: ToolCall): ChatStep {
    const step: ChatStep = { name, arguments: args };
    this.#begun.push(step);
    return step;
  }

  #fail(step: ChatStep, error: unknown): string {
    if (!(error instanceof AppError)) throw error;
    step.error = describeError(error, this.#options.t);
    return JSON.stringify({ error: step.error });
  }
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
