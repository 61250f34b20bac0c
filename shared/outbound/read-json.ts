import type { IncomingMessage } from 'node:http';
import { OutboundError } from './outbound-error.ts';

/** Most bytes of an answer: 1 MiB. */
export const maxResponseBytes = 1_048_576;

/**
 * Reads an answer as JSON whatever its content type says: WeChat's is `text/plain`.
 *
 * @throws OutboundError `redirect` for a 3xx, `too_large` above 1 MiB, `not_json`, and `unreachable` when the
 * connection ends before the answer does
 */
export async function readJson(
  incoming: IncomingMessage,
  hostname: string,
): Promise<{ status: number; body: unknown }> {
  const status = incoming.statusCode ?? 0;
  if (status >= 300 && status < 400) {
    incoming.destroy();
    throw new OutboundError('redirect', `${hostname} answered a redirect (${status})`, status);
  }
  const text = await readText(incoming, hostname, status);
  try {
    return { status, body: JSON.parse(text) };
  } catch {
    // The parser's message quotes the answer, which may echo a secret.
    throw new OutboundError('not_json', `${hostname} answered ${status} without JSON`, status);
  }
}

async function readText(incoming: IncomingMessage, hostname: string, status: number): Promise<string> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  try {
    for await (const chunk of incoming) {
      sizeBytes += chunk.length;
      if (sizeBytes > maxResponseBytes) break;
      chunks.push(chunk);
    }
  } catch {
    throw new OutboundError('unreachable', `the answer of ${hostname} broke off`, status);
  }
  if (sizeBytes > maxResponseBytes) {
    throw new OutboundError('too_large', `${hostname} answered more than ${maxResponseBytes} bytes`, status);
  }
  return Buffer.concat(chunks).toString();
}
