import type * as z from 'zod/mini';
import type { AdminPrincipal } from '#shared/auth/principal.ts';

/** `read`: changes nothing, an assistant may run it by itself. `write`: anything else. */
export type ToolAccess = 'read' | 'write';
/** By which way a tool is called. */
export type ToolDoor = 'mcp' | 'call' | 'rpc' | 'chat';

/** What a tool is told of its caller. */
export interface ToolContext {
  /** The administrator on whose behalf it runs. */
  admin: AdminPrincipal;
  door: ToolDoor;
  requestId: string;
  /** Aborted when the tool's time is over. */
  signal: AbortSignal;
}

/** Schema of a tool's arguments: a strict object. */
export type ToolSchema = z.ZodMiniObject;

const brand = Symbol.for('administration-backend.mcp-tool');

/**
 * What a module lets assistants do. A class of its own file in `modules/{Module}/Mcp/Tools`, named as the file
 * and exported as default, extends this one; that is all it takes to be found.
 */
export abstract class McpTool<Schema extends ToolSchema = ToolSchema> {
  /** Tells a tool's class, from whichever load of this file it comes. */
  static readonly [brand] = true;

  /** `module.ability`: the module's route prefix, a dot, and what it does; unique. */
  abstract readonly name: string;
  /** What it is able to do, for the model that chooses it. */
  abstract readonly description: string;
  /** The arguments that it takes, each described. */
  abstract readonly inputSchema: Schema;
  /** @default 'write' */
  readonly access: ToolAccess = 'write';

  /**
   * Checks permissions and business preconditions of a call; a tool with `access: 'write'` has to.
   *
   * @throws AppError for what the administrator may not do
   */
  authorize?(context: ToolContext, args: z.output<Schema>): Promise<void>;

  /** Does the work. @returns JSON with only the necessary fields, at most 64 KiB */
  abstract handle(args: z.output<Schema>, context: ToolContext): Promise<unknown>;
}

/** Whether a value is a class that extends {@link McpTool}. */
export function isMcpToolClass(value: unknown): value is new () => McpTool {
  // The mark is the base's own: a class that has it by inheritance is a tool.
  return typeof value === 'function' && brand in value && !Object.hasOwn(value, brand);
}
