import type { AdminPrincipal } from '#shared/auth/principal.ts';
import type { Locale } from '#shared/i18n/locale.ts';
import type { Translate } from '#shared/i18n/messages.ts';
import type { ToolDoor } from './mcp-tool.ts';

/** A call of a tool as it came in. */
export interface ToolCall {
  name: string;
  /** @default {} */
  arguments?: unknown;
}

/** For whom a tool runs; the context of an administrator's route is one. */
export interface ToolCaller {
  admin: AdminPrincipal;
  request: {
    id: string;
    /** Milliseconds until the function is stopped. */
    remainingMs(): number;
  };
  locale: Locale;
  t: Translate;
}

/** Who calls, and from where. */
export interface InvokeOptions extends ToolCaller {
  door: ToolDoor;
  /** What the paths of wrong arguments begin with: `body.arguments`. */
  root: string;
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
