/** What services and networks say when a connection fails, and what it means. */
const reasons = [
  [/no end within|timed?.?out|aborted/i, 'slow'],
  [/ENOTFOUND|EAI_AGAIN|getaddrinfo/, 'host'],
  [/ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|socket hang up|fetch failed/, 'unreachable'],
  [/certificate|CERT_|SSL|TLS/i, 'certificate'],
  [/\b429\b|too many requests|insufficient_quota|quota/i, 'limit'],
  [
    /\b401\b|InvalidAccessKeyId|SignatureDoesNotMatch|unauthorized|bad token|incorrect api key|invalid api key/i,
    'key',
  ],
  [/\b403\b|AccessDenied|forbidden/i, 'rights'],
  [/\b404\b|NoSuch|not.?found|does not exist|no such/i, 'missing'],
  [/\b5\d\d\b/, 'fault'],
] as const;

export type Reason = (typeof reasons)[number][1] | 'other';

/** Finds the reason in the words of a service or a network. */
export const findReason = (detail: string): Reason =>
  reasons.find(([words]) => words.test(detail))?.[1] ?? 'other';
