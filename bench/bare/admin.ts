import type { Invocation } from '../event.ts';
import { readCached, render } from './read-dict.ts';
import { assertEnabled, type Principal, type Session, toEntryKeys, verify } from './verify.ts';

/** The administrators' read of dictionaries, written down without a framework. */
export async function handler(event: Invocation['event'], context: Invocation['context']) {
  const caller = verify(event.headers.authorization ?? '');
  const typeKeys = event.queryStringParameters?.type?.split(',') ?? [];
  const { found, dicts } = await readCached<Session & Principal>(toEntryKeys(caller), typeKeys);
  assertEnabled(found[0], found[1]);
  return render(typeKeys, dicts, false, context.awsRequestId);
}
