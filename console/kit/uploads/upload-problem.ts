/** A failed request; `ApiError` of the console fits. */
export interface Failure {
  /** HTTP status; 0 without an answer. */
  status: number;
  code: string;
  message: string;
  retryAfterSeconds?: number | undefined;
}

export type ProblemKind =
  | 'network'
  | 'engine_unreachable'
  | 'engine_refused'
  | 'type'
  | 'size'
  | 'content'
  | 'empty'
  | 'expired'
  | 'category'
  | 'busy'
  | 'other';

/** Why an upload failed. */
export interface Problem {
  kind: ProblemKind;
  /** The service's own sentence; empty if it gave no sentence. */
  message: string;
}

export const isFailure = (error: unknown): error is Failure & Error =>
  error instanceof Error && 'status' in error && 'code' in error;

const kinds: Record<string, ProblemKind> = {
  network: 'network',
  'engine.unreachable': 'engine_unreachable',
  'engine.refused': 'engine_refused',
  'upload.type_unknown': 'type',
  'upload.extension_not_allowed': 'type',
  'upload.too_large': 'size',
  'request.too_large': 'size',
  'upload.content_mismatch': 'content',
  'upload.active_content': 'content',
  'upload.empty': 'empty',
  'upload.ticket_invalid': 'expired',
  'upload.incomplete': 'expired',
  'request.invalid': 'category',
  'throttle.exceeded': 'busy',
};

export function toProblem(error: unknown): Problem {
  if (!isFailure(error)) return { kind: 'other', message: String(Object(error).message ?? error) };
  return { kind: kinds[error.code] ?? 'other', message: error.message };
}

const maxTries = 6;
const longestWaitMs = 15_000;

/**
 * How long to wait before a failed request is sent again, in milliseconds; undefined if that would not help. A throttled
 * request waits as long as the service says.
 *
 * @param tries how often it has failed in a row, from 1
 */
export function retryDelayMs(error: unknown, tries: number): number | undefined {
  if (!isFailure(error) || tries >= maxTries) return undefined;
  if (error.status === 429) return (error.retryAfterSeconds ?? 10) * 1000;
  const isTemporary = error.status === 0 || error.status >= 500;
  return isTemporary ? Math.min(longestWaitMs, 500 * 2 ** tries) : undefined;
}
