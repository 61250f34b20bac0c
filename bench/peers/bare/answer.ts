import type { Invocation } from '../../event.ts';
import { envelope } from '../jobs/envelope.ts';
import { Refusal } from '../jobs/refusal.ts';

const headers = { 'content-type': 'application/json; charset=utf-8' };

/** A handler without a framework, which answers what `job` does in the envelope. */
export function answer(job: (event: Invocation['event']) => Promise<unknown>) {
  return async (event: Invocation['event'], { awsRequestId }: Invocation['context']) => {
    try {
      return { statusCode: 200, headers, body: JSON.stringify(envelope(await job(event), awsRequestId)) };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { statusCode: error.statusCode, headers, body: JSON.stringify({ message: error.message }) };
    }
  };
}
