import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Store, WireRequest } from './fault.ts';

/** Header with the run that a request belongs to. */
export const runHeader = 'x-fault-run';

/** The operation of a request. */
export function readRequest(store: Store, incoming: IncomingMessage, body: Buffer): WireRequest {
  const operation = nameOperation(store, incoming, body);
  return {
    store,
    operation,
    signature: `${operation} ${hash('sha1', body)}`,
    run: incoming.headers[runHeader]?.toString(),
  };
}

/** How many answers a request wants at once: commands of a pipeline, writes of a transaction. */
export function countCommands(store: Store, body: Buffer): number {
  if (store === 'cache') return readCommands(body).length;
  return store === 'database' ? (JSON.parse(body.toString()).TransactItems?.length ?? 1) : 1;
}

function nameOperation(store: Store, { method, url, headers }: IncomingMessage, body: Buffer): string {
  if (store === 'database') return String(headers['x-amz-target']).split('.')[1] ?? '';
  if (store !== 'cache') return `${method} ${url?.split('?')[0]}`;
  return [...new Set(readCommands(body).map(([name]) => name))].join('+');
}

function readCommands(body: Buffer): unknown[][] {
  const commands: unknown = JSON.parse(body.toString());
  return Array.isArray(commands) ? commands.filter(Array.isArray) : [];
}
