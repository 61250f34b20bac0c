/** A call of a tool as the service answers it: finished with a result or an error, or waiting with a token. */
export interface ToolCallCard {
  name: string;
  /** What it does, for the operator. */
  description?: string;
  arguments?: unknown;
  result?: unknown;
  error?: { code: string; message: string } | undefined;
  confirmToken?: string;
  state: 'done' | 'failed' | 'pending' | 'rejected' | 'sent';
}

export interface Turn {
  role: 'user' | 'assistant';
  text: string;
  calls: ToolCallCard[];
}

interface Answer {
  reply: string;
  steps: { name: string; arguments?: unknown; result?: unknown; error?: { code: string; message: string } }[];
  pending: { name: string; description: string; arguments?: unknown; confirm_token: string }[];
}

/** Limits of the route: entries, and bytes of UTF-8 in all. */
const historyEntries = 40;
const historyBytes = 65_536;

export function toTurn({ reply, steps, pending }: Answer): Turn {
  return {
    role: 'assistant',
    text: reply,
    calls: [
      ...steps.map((step) => ({ ...step, state: step.error ? ('failed' as const) : ('done' as const) })),
      ...pending.map(({ confirm_token, ...call }) => ({
        ...call,
        confirmToken: confirm_token,
        state: 'pending' as const,
      })),
    ],
  };
}

/** The newest turns that the route accepts as history, oldest first. Turns without text are left out. */
export function toHistory(turns: readonly Turn[]): { role: Turn['role']; content: string }[] {
  const encoder = new TextEncoder();
  const history: { role: Turn['role']; content: string }[] = [];
  let sizeBytes = 0;
  for (const { role, text } of turns.toReversed()) {
    if (text.trim() === '') continue;
    sizeBytes += encoder.encode(text).length;
    if (sizeBytes > historyBytes || history.length === historyEntries) break;
    history.unshift({ role, content: text });
  }
  return history;
}

/** The calls that wait for the operator. */
export const listPending = (turns: readonly Turn[]): ToolCallCard[] =>
  turns.flatMap(({ calls }) => calls.filter(({ state }) => state === 'pending'));

/** A value of a call for people: text as it is, anything else as JSON. */
export const toText = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '');
