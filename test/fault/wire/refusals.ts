import type { Store, WireRequest } from './fault.ts';

/** An answer in place of a store's own. */
export interface Refusal {
  status: number;
  contentType: string;
  body: string;
}

const json = 'application/json';
const amazonJson = 'application/x-amz-json-1.0';
const html = '<!doctype html><title>Bad gateway</title><p>{"not":"json"';

/** The answer of a store that fails with an error status. */
export function failure(store: Store, status: 500 | 503): Refusal {
  if (store !== 'database') return { status, contentType: 'text/html', body: html };
  const name = status === 500 ? 'InternalServerError' : 'ServiceUnavailable';
  return { status, contentType: amazonJson, body: amazonError(name, 'The request failed.') };
}

/** The answer of an overloaded store. */
export function throttling({ store, operation }: WireRequest, commands: number): Refusal {
  switch (store) {
    case 'database':
      return operation === 'TransactWriteItems' ? cancelled(commands) : exceeded();
    case 'cache': {
      const error = 'ERR max requests limit exceeded. Limit: 500000, Usage: 500000.';
      return { status: 200, contentType: json, body: JSON.stringify(Array(commands).fill({ error })) };
    }
    case 'engine':
      return { status: 503, contentType: 'application/xml', body: slowDown };
    case 'provider': {
      const error = { message: 'Rate limit reached', type: 'requests', code: 'rate_limit_exceeded' };
      return { status: 429, contentType: json, body: JSON.stringify({ error }) };
    }
  }
}

/** A success with a useless body. */
export const garbage: Refusal = { status: 200, contentType: 'text/html', body: html };

const slowDown =
  '<?xml version="1.0" encoding="UTF-8"?><Error><Code>SlowDown</Code><Message>Too many.</Message></Error>';

function exceeded(): Refusal {
  const name = 'ProvisionedThroughputExceededException';
  return { status: 400, contentType: amazonJson, body: amazonError(name, 'The level was exceeded.') };
}

/** A transaction names a reason for each of its writes; the first one was throttled here. */
function cancelled(writes: number): Refusal {
  const reasons = Array.from({ length: writes }, (_, index) => ({
    Code: index === 0 ? 'ThrottlingError' : 'None',
    ...(index === 0 && { Message: 'Throughput exceeds the current capacity of your table or index.' }),
  }));
  const message = 'Transaction cancelled, please refer cancellation reasons for specific reasons';
  const body = amazonError('TransactionCanceledException', message, { CancellationReasons: reasons });
  return { status: 400, contentType: amazonJson, body };
}

const amazonError = (name: string, message: string, more: object = {}): string =>
  JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${name}`, message, ...more });
