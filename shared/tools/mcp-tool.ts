import type * as z from 'zod/mini';
import type { PermissionKind } from '#shared/auth/permission.ts';
import type { AdminCaller } from '#shared/auth/principal.ts';
import type { Locale } from '#shared/i18n/locale.ts';
import type { LoadTexts } from '#shared/i18n/texts.ts';
import type { JoinedContributions } from '#shared/module/contributions.ts';
import type { LocalisedText } from '#shared/schema/component.ts';

/** `read`: changes nothing, so an assistant may run it without confirmation. `write`: anything else. */
export type ToolAccess = PermissionKind;
/** How a tool is called. */
export type ToolChannel = 'mcp' | 'call' | 'rpc' | 'chat';

export interface ToolRequest {
  id: string;
  /** The client's address. */
  address: string;
  /** Milliseconds until the function is stopped. */
  remainingMs(): number;
}

/** Data of all enabled modules that a tool may ask for. */
export interface ToolNeeds {
  /** What modules show on the pages of others. */
  contributions: JoinedContributions;
}

/** What a tool knows about its call. */
export interface ToolContext<Prefetched = unknown, Asked extends keyof ToolNeeds = never> {
  /** The administrator on whose behalf it runs. */
  admin: AdminCaller;
  channel: ToolChannel;
  requestId: string;
  /** The request that carries the call. */
  request: ToolRequest;
  locale: Locale;
  texts: LoadTexts;
  /** Values that the tool or its route asks for. */
  needs: Readonly<Record<string, unknown>> & Pick<ToolNeeds, Asked>;
  /** Aborted at the tool's time limit. */
  signal: AbortSignal;
  /** The result of the tool's `prefetch`; undefined if the channel does not prefetch, or if it failed. */
  prefetched?: Prefetched | undefined;
}

/** Schema of a tool's arguments: a strict object. */
export type ToolSchema = z.ZodMiniObject;

/** JSON Schema, draft 2020-12, without `$schema`, which some providers refuse. */
export type JsonSchema = Record<string, unknown>;

/** A call that lists the values of an argument. */
export interface ArgumentSource {
  tool: string;
  arguments?: Record<string, string>;
}

/** What clients and models read about a tool. It is made at build time, from sources with labels. */
export interface ToolDescription {
  title?: LocalisedText | undefined;
  description: string;
  input_schema: JsonSchema;
  /** JSON Schema of a result that is an object. */
  output_schema?: JsonSchema | undefined;
  is_destructive: boolean;
  is_idempotent: boolean;
  /** The tools that list the values of its arguments, by argument. */
  sources?: Readonly<Record<string, ArgumentSource>> | undefined;
  /** What the model of the assistant reads instead. */
  adapter?: { description: string; input_schema: JsonSchema } | undefined;
}

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
  /** Short name for people. */
  readonly title?: LocalisedText;
  /** Schema of its result, if that is an object. */
  readonly outputSchema?: z.core.$ZodType;
  /** @default 'write' */
  readonly access: ToolAccess = 'write';
  /**
   * The permission of a route, such as `system/file/list:read`. A caller who holds it may run the tool.
   *
   * @default `tool/` and the name, with `access` as kind
   */
  readonly permission?: string;
  /** The record that its arguments name, for the audit log: `article:{id}`. */
  readonly target?: string;
  /** Whether MCP clients that can ask their user do so before each call; the assistant always asks. */
  readonly confirm?: boolean;
  /** The route that it is made of (`fromRoute`). */
  readonly route?: object;
  /** Data of all modules that its `handle` gets. */
  readonly needs?: readonly (keyof ToolNeeds)[];
  /** Whether it can change or remove what exists. A hint for clients. @default whether it writes */
  readonly isDestructive?: boolean;
  /** Whether a second call with the same arguments changes nothing more. A hint. @default whether it only reads */
  readonly isIdempotent?: boolean;

  /**
   * Checks business preconditions of a call, after its permission. Required if `access` is `'write'`.
   *
   * @throws AppError if the administrator may not do this
   */
  authorize?(context: ToolContext, args: z.output<Schema>): Promise<void>;

  /**
   * Says what a call does, for the user who confirms it: `Disable the article “Spring sale”`. It runs after `authorize`,
   * only if a user is asked. Titles of records are written with `quote`.
   *
   * @throws AppError if the call would fail
   */
  describeCall?(context: ToolContext, args: z.output<Schema>): Promise<LocalisedText>;

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
