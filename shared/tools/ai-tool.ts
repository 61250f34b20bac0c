import type * as z from 'zod/mini';
import { toJsonText } from './json-text.ts';
import type { McpTool, ToolContext, ToolSchema } from './mcp-tool.ts';

const brand = Symbol.for('administration-backend.ai-tool');

/**
 * What makes a tool callable by the chat assistant: a class of its own file in `modules/{Module}/Ai/Tools`,
 * named as the file and exported as default, extends this one. The tool of its name has to exist; whether the
 * call is allowed is the tool's business.
 */
export abstract class AiTool<Schema extends ToolSchema = ToolSchema> {
  /** Tells an adapter's class, from whichever load of this file it comes. */
  static readonly [brand] = true;

  /** Name of its tool. */
  abstract readonly name: string;
  /** As its tool's. */
  abstract readonly description: string;
  /** As its tool's. */
  abstract readonly inputSchema: Schema;

  /** Does what its tool does, and says it for the model. @returns preferably JSON */
  abstract handle(args: z.output<Schema>, context: ToolContext): Promise<string>;
}

/** Whether a value is a class that extends {@link AiTool}. */
export function isAiToolClass(value: unknown): value is new () => AiTool {
  return typeof value === 'function' && brand in value && !Object.hasOwn(value, brand);
}

/** An adapter whose members are all there. */
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
      return toJsonText(this.name, await this.#tool.handle(args, context));
    }
  };
}
