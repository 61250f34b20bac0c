import type * as z from 'zod/mini';
import { toAnswerText } from './json-text.ts';
import type { McpTool, ToolContext, ToolSchema } from './mcp-tool.ts';

const brand = Symbol.for('administration-backend.ai-tool');

/**
 * Base class of adapters, which let the chat assistant call a tool. Each adapter is a class in a file of its
 * own in `modules/{Module}/Ai/Tools`, named as the file and exported as default. The tool of its name must
 * exist, and that tool authorises the calls.
 */
export abstract class AiTool<Schema extends ToolSchema = ToolSchema> {
  /** Marks adapter classes, even if this file is loaded more than once. */
  static readonly [brand] = true;

  /** Name of its tool. */
  abstract readonly name: string;
  abstract readonly description: string;
  abstract readonly inputSchema: Schema;

  /** Runs the tool and writes the result for the model. @returns preferably JSON */
  abstract handle(args: z.output<Schema>, context: ToolContext): Promise<string>;
}

/** Whether a value is a class that extends {@link AiTool}. */
export function isAiToolClass(value: unknown): value is new () => AiTool {
  return typeof value === 'function' && brand in value && !Object.hasOwn(value, brand);
}

/** An adapter without abstract members. */
type ConcreteAiTool<Schema extends ToolSchema> = Pick<AiTool<Schema>, keyof AiTool>;

/**
 * Derives an adapter from its tool: `export default class OverviewTool extends adapt(SystemOverviewTool) {}`.
 *
 * @returns a class that answers the tool's result as JSON
 */
export function adapt<Schema extends ToolSchema>(
  Tool: new () => McpTool<Schema>,
): new () => ConcreteAiTool<Schema> {
  return class extends AiTool<Schema> {
    readonly #tool = new Tool();
    override readonly name = this.#tool.name;
    override readonly description = this.#tool.description;
    override readonly inputSchema = this.#tool.inputSchema;

    override async handle(args: z.output<Schema>, context: ToolContext): Promise<string> {
      return toAnswerText(this.#tool, await this.#tool.handle(args, context));
    }
  };
}
