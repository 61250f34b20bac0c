/** Causes below a cause that are told. */
const deepest = 3;

/**
 * What is told of something that was thrown, which may be anything: name and message, the stack, and the causes.
 * Never throws.
 */
export function describeThrown(thrown: unknown, depth = 0): Record<string, unknown> {
  try {
    if (!(thrown instanceof Error)) return { error: toText(thrown) };
    const { name, message, stack, cause } = thrown;
    const below = cause && depth < deepest ? { cause: describeThrown(cause, depth + 1) } : {};
    return { error: `${toText(name)}: ${toText(message)}`, stack: stack && toText(stack), ...below };
  } catch {
    return { error: '[unreadable]' };
  }
}

/** Objects without a prototype, and those whose methods throw, have no text. */
function toText(value: unknown): string {
  try {
    return String(value);
  } catch {
    return `[${typeof value} without text]`;
  }
}
