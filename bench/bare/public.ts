import type { Invocation } from '../event.ts';
import { readCached, render } from './read-dict.ts';

/** The open read of dictionaries, written down without a framework. */
export async function handler(event: Invocation['event'], context: Invocation['context']) {
  const typeKeys = event.queryStringParameters?.type?.split(',') ?? [];
  const { dicts } = await readCached([], typeKeys);
  return render(typeKeys, dicts, true, context.awsRequestId);
}
