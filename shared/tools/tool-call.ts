import type { AdminPrincipal } from '#shared/auth/principal.ts';
import type { ErrorDetail } from '#shared/errors/app-error.ts';
import type { ToolDoor, ToolSchema } from './mcp-tool.ts';

/** Holds arguments against a schema; messages are in the caller's language, paths begin with `root`. */
export type ValidateArguments = (
  schema: ToolSchema,
  value: unknown,
  root: string,
) => { value?: unknown; issues: ErrorDetail[] };

/** A call of a tool as it came in. */
export interface ToolCall {
  name: string;
  /** @default {} */
  arguments?: unknown;
}

/** Who calls, and from where. */
export interface InvokeOptions {
  door: ToolDoor;
  admin: AdminPrincipal;
  requestId: string;
  /** What the paths of wrong arguments begin with: `body.arguments`. */
  root: string;
  validate: ValidateArguments;
  /** Milliseconds until the function is stopped. */
  remainingMs(): number;
}

/** What came of a call. */
export interface ToolOutcome {
  name: string;
  /** JSON; what an adapter said as text that is none, as it is. */
  result: unknown;
  /** The same as text: JSON, or what the adapter said. */
  text: string;
  duration_ms: number;
}
