import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { OutboundError } from './outbound-error.ts';

/** An answer, whatever its status but a redirect. */
export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  /** Untrusted. */
  bytes: Buffer;
}

/** How much of an answer is read. */
export interface AnswerLimit {
  /** Most bytes of an answer. */
  maxBytes: number;
  /**
   * Whether a longer answer is taken as far as it was read by then, instead of failing.
   *
   * @default false
   */
  isCut?: boolean;
}

/**
 * Reads an answer to its end.
 *
 * @param hostname who answers, for the messages of failures
 * @throws OutboundError `redirect` for a 3xx, `too_large` above the limit, and `unreachable` when the
 * connection ends before the answer does
 */
export async function readAnswer(
  incoming: IncomingMessage,
  hostname: string,
  { maxBytes, isCut = false }: AnswerLimit,
): Promise<Answer> {
  const { statusCode: status = 0, headers } = incoming;
  if (status >= 300 && status < 400) {
    incoming.destroy();
    throw new OutboundError('redirect', `${hostname} answered a redirect (status ${status})`, status);
  }
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  try {
    for await (const chunk of incoming) {
      sizeBytes += chunk.length;
      chunks.push(chunk);
      // Leaving the loop closes the connection.
      if (sizeBytes > maxBytes) break;
    }
  } catch {
    throw new OutboundError('unreachable', `the answer of ${hostname} broke off`, status);
  }
  if (sizeBytes > maxBytes && !isCut) {
    throw new OutboundError(
      'too_large',
      `the answer of ${hostname} is longer than ${maxBytes} bytes`,
      status,
    );
  }
  return { status, headers, bytes: Buffer.concat(chunks) };
}
