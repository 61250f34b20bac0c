import { AppError } from '#shared/errors/app-error.ts';
import { describeError } from '#shared/i18n/messages.ts';
import { describeForUser } from '#shared/tools/ask-user.ts';
import {
  type InvokeOptions,
  invokeTool,
  recordRefusal,
  type ToolCall,
  type ToolCaller,
} from '#shared/tools/invoke.ts';
import type { JsonSchema } from '#shared/tools/mcp-tool.ts';
import { createRegistry, isToolPermitted, listPermitted, type ToolRegistry } from '#shared/tools/registry.ts';
import { toPortableName } from '#shared/tools/tool-name.ts';
import { createConfirmToken } from './confirm-token.ts';
import type { ChatStep, PendingCall } from './schema.ts';

const noTools = createRegistry([], async () => ({ default: {} }));

export interface ChatCaller extends ToolCaller {
  tools: ToolRegistry;
}

/** The tool calls of one chat. */
export class ToolCalls {
  readonly pending: PendingCall[] = [];
  /** Whether the model asked for more calls than the limit. */
  isExhausted = false;
  readonly #tools: ToolRegistry;
  readonly #options: InvokeOptions;
  readonly #started: ChatStep[] = [];
  #left: number;

  /** @param limit maximum calls of the model, including failed and waiting ones */
  constructor(caller: ChatCaller, limit: number) {
    this.#tools = caller.tools;
    this.#options = { ...caller, channel: 'chat', root: 'arguments' };
    this.#left = limit;
  }

  /** What the model reads about the tools that the administrator may run and the assistant can call. */
  async describe(): Promise<{ name: string; description: string; input_schema: JsonSchema }[]> {
    const descriptions = await this.#tools.loadDescriptions();
    return listPermitted(this.#tools, this.#options.admin).flatMap(({ name, loadAdapter }) => {
      const found = loadAdapter && descriptions[name];
      return found ? [{ name, ...(found.adapter ?? found) }] : [];
    });
  }

  /** Finished calls, in the order of their start. */
  get steps(): ChatStep[] {
    return this.#started.filter((step) => 'result' in step || step.error).map((step) => ({ ...step }));
  }

  /**
   * Takes a call of the model, in the provider's spelling. A tool that reads runs; one that writes always waits for
   * the administrator. Returns the outcome for the model, also of a failed call.
   */
  async take({ name: providerName, arguments: text }: { name: string; arguments: string }): Promise<string> {
    if (this.#left <= 0) {
      this.isExhausted = true;
      return JSON.stringify({ error: 'no more calls are allowed' });
    }
    this.#left -= 1;
    const name = providerName.replace('__', '.');
    const call = { name, arguments: parseArguments(text) };
    // Only names in the provider's spelling are accepted.
    const tool = this.#tools.tools.find((each) => each.name === name);
    if (toPortableName(name) !== providerName || !tool?.loadAdapter) return this.run(call, noTools);
    // A tool that is not permitted is refused when it runs, and recorded then.
    const isRun = !isToolPermitted(tool, this.#options.admin) || tool.access === 'read';
    return isRun ? this.run(call) : this.#propose(call);
  }

  /** Runs a call. @returns the outcome, for the model */
  run(call: ToolCall, registry = this.#tools): Promise<string> {
    return this.#attempt(call, async (step) => {
      const { result, text } = await invokeTool(registry, call, this.#options);
      step.result = result;
      return text;
    });
  }

  /** Makes a call wait for the administrator; a call that cannot run fails at once. */
  #propose(call: ToolCall): Promise<string> {
    return this.#attempt(call, async () => {
      const description = await this.#describe(call);
      const { name, arguments: args } = call;
      const confirm_token = createConfirmToken(this.#options, call);
      this.pending.push({ name, description, arguments: args, confirm_token });
      return JSON.stringify({ status: 'waits for the confirmation of the administrator' });
    });
  }

  /** Describes a call that waits, in the language of the administrator. @throws the refusal, which is recorded */
  async #describe(call: ToolCall): Promise<string> {
    try {
      return await describeForUser(this.#tools, call, this.#options);
    } catch (error) {
      if (error instanceof AppError) await recordRefusal(this.#tools, call, this.#options, error);
      throw error;
    }
  }

  async #attempt(
    { name, arguments: args }: ToolCall,
    work: (step: ChatStep) => Promise<string>,
  ): Promise<string> {
    const step: ChatStep = { name, arguments: args };
    this.#started.push(step);
    try {
      return await work(step);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      step.error = describeError(error, await this.#options.texts());
      return JSON.stringify({ error: step.error });
    }
  }
}

/** Text that is not JSON is kept; no tool accepts it. */
function parseArguments(text: string): unknown {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
