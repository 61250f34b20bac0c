import type { Outcome, Reply } from './redis-backend.ts';

/** A reply as it stands in a JSON answer. */
export type JsonReply = null | number | string | readonly JsonReply[];

/**
 * Turns what became of a command into Upstash's `{ result }` or `{ error }`.
 *
 * @param isBase64 - Whether the client asked for `Upstash-Encoding: base64`: then every string is encoded but a
 *   plain `OK`; inside arrays `OK` is encoded too, since clients decode every string there.
 */
export function renderOutcome(
  outcome: Outcome,
  isBase64: boolean,
): { result: JsonReply } | { error: string } {
  if ('error' in outcome) return outcome;
  if (outcome.result === null || typeof outcome.result === 'number') return { result: outcome.result };
  if (isBase64 && outcome.result.toString() === 'OK' && !Array.isArray(outcome.result))
    return { result: 'OK' };
  return { result: renderReply(outcome.result, isBase64) };
}

function renderReply(reply: Reply, isBase64: boolean): JsonReply {
  if (reply === null || typeof reply === 'number') return reply;
  if (typeof reply === 'string') return isBase64 ? Buffer.from(reply).toString('base64') : reply;
  if (Buffer.isBuffer(reply)) return reply.toString(isBase64 ? 'base64' : 'utf8');
  return reply.map((item) => renderReply(item, isBase64));
}
