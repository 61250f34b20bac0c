import type * as z from 'zod/mini';
import type { AdminCaller } from '#shared/auth/principal.ts';

/** `read`: changes nothing, so an assistant may run it without confirmation. `write`: anything else. */
export type ToolAccess = 'read' | 'write';
/** How a tool is called. */
export type ToolChannel = 'mcp' | 'call' | 'rpc' | 'chat';

/** What a tool knows about its call. */
export interface ToolContext<Prefetched = unknown> {
  /** The administrator on whose behalf it runs. */
  admin: AdminCaller;
  channel: ToolChannel;
  requestId: string;
  /** Aborted at the tool's time limit. */
  signal: AbortSignal;
  /** The result of the tool's `prefetch`; undefined if the channel does not prefetch, or if it failed. */
  prefetched?: Prefetched | undefined;
}

/** Schema of a tool's arguments: a strict object. */
export type ToolSchema = z.ZodMiniObject;

const brand = Symbol.for('administration-backend.mcp-tool');

/**
 * Base class of the tools that a module offers. Each tool is a class in a file of its own in
 * `modules/{Module}/Mcp/Tools`, named as the file and exported as default. Discovery finds it there.
 */
export abstract class McpTool<Schema extends ToolSchema = ToolSchema, Prefetched = unknown> {
  /** Marks tool classes, even if this file is loaded more than once. */
  static readonly [brand] = true;

  /** `module.ability`: the module's route prefix, a dot, and the ability. Unique. */
  abstract readonly name: string;
  /** What it does, for the model that chooses it. */
  abstract readonly description: string;
  /** Its arguments, each with a description. */
  abstract readonly inputSchema: Schema;
  /** @default 'write' */
  readonly access: ToolAccess = 'write';
  /**
   * The permission of a route, such as `system/file/list:read`. A caller who holds it may run the tool.
   *
   * @default `tool/` and the name, with `access` as kind
   */
  readonly permission?: string;

  /**
   * Checks business preconditions of a call, after its permission. Required if `access` is `'write'`.
   *
   * @throws AppError if the administrator may not do this
   */
  authorize?(context: ToolContext, args: z.output<Schema>): Promise<void>;

  /**
   * Reads what `handle` needs, in the same request as the session of the caller. It runs before the caller is known,
   * so it is for cached settings only (decision 0012).
   */
  prefetch?(): Promise<Prefetched>;

  /** @returns JSON with only the necessary fields, at most 64 KiB */
  abstract handle(args: z.output<Schema>, context: ToolContext<Prefetched>): Promise<unknown>;
}

/** Whether a value is a class that extends {@link McpTool}. */
export function isMcpToolClass(value: unknown): value is new () => McpTool {
  // Subclasses inherit the brand; only the base class has it as an own property.
  return typeof value === 'function' && brand in value && !Object.hasOwn(value, brand);
}
