import { randomBytes } from 'node:crypto';
import { createTransport } from '#shared/cache/transport.ts';
import { describeFailure, type Finding } from './finding.ts';

/** Each of two requests, in milliseconds. */
const cacheLimitMs = 1_500;
const subject = 'Upstash';

/**
 * Checks that the cache answers, takes a write, and reads it back in another request. A token for reading only fails
 * here.
 *
 * @param command what sets the token again
 */
export async function checkCache(url: string, token: string, command?: string): Promise<Finding> {
  const send = createTransport({ url: url.replace(/\/+$/, ''), token, timeoutMs: cacheLimitMs });
  const key = `service:check:${randomBytes(8).toString('hex')}`;
  const fail = (text: string): Finding => ({ subject, state: 'failed', text, command });
  try {
    const [pong, written] = await send([['PING'], ['SET', key, 'written', 'EX', 10]]);
    const refusal = pong?.error ?? written?.error;
    if (refusal !== undefined)
      return fail(`it refuses a command; is the token one for reading only? ${firstWord(refusal)}`);
    const [read] = await send([['GET', key]]);
    if (read?.result !== 'written')
      return fail('it does not read what was just written: use a database without read replicas');
    return { subject, state: 'ok', text: 'it answers, and reads what it wrote' };
  } catch (error) {
    const { cause } = Object(error);
    return fail(describeFailure(cause ?? error));
  }
}

/** The code of a refusal, such as `NOPERM`: the rest repeats the command. */
const firstWord = (refusal: string): string => `(${/^[A-Z]+/.exec(refusal)?.[0] ?? 'ERR'})`;
