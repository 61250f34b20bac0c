/** Codes of JSON-RPC 2.0, section 5.1. */
const invalidParams = -32602;
const internalError = -32603;

/**
 * Puts an internal error of the SDK into words of the protocol. What does not fit a method's schema it calls
 * internal, and tells it in its validator's own words: those are wrong params. Nothing else that went wrong
 * inside is told.
 *
 * @param text an answer's body
 */
export function mendMcpError(text: string): string {
  if (!text.includes(String(internalError))) return text;
  const { error, ...answer } = Object(JSON.parse(text));
  if (Object(error).code !== internalError) return text;
  const mended = listsIssues(error.message)
    ? { code: invalidParams, message: 'Invalid params' }
    : { code: internalError, message: 'Internal error' };
  return JSON.stringify({ ...answer, error: mended });
}

/** Whether a message is what zod makes of its issues. */
function listsIssues(message: string): boolean {
  try {
    const issues: unknown = JSON.parse(message);
    return Array.isArray(issues) && issues.every((issue) => Array.isArray(Object(issue).path));
  } catch {
    return false; // A sentence.
  }
}
