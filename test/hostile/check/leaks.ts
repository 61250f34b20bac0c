/** What only the inside of the service knows: stacks, places, names and texts of libraries. */
const patterns = [
  /\n\s+at .+[:(]\d+/,
  /node_modules|\bnode:internal/,
  /\.[mc]?[jt]s:\d+/,
  /\/(work|tmp|home|root|var|usr)\//,
  /\b(Type|Range|Reference|Syntax|Zod|URI|Aggregate|Redis|Environment|Condition|ClaimTaken)Error\b/,
  /\b(ECONN|ENOENT|ENOTDIR|EACCES|EISDIR|ETIMEDOUT|ERR_[A-Z])/,
  /ValidationException|ConditionalCheckFailed|TransactionCancel|DynamoDB|ioredis|WRONGTYPE/i,
  /Unexpected (token|end of)|in JSON at position|is not valid JSON|Cannot (read|convert|destructure|set)/,
  /is not (a function|iterable|defined)|Maximum call stack|Invalid (character|header)/i,
  /\b(pk|sk|gsi\d[ps]k|password_hash|session_epoch)"/,
];

/** The secret text that an answer reveals; undefined if not found. */
export function findLeak(text: string, sent: string): string | undefined {
  const found = patterns.map((pattern) => pattern.exec(text)?.[0]).find((each) => each !== undefined);
  // What was sent may be answered.
  return found === undefined || sent.includes(found) ? undefined : found;
}
