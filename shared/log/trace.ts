import { AsyncLocalStorage } from 'node:async_hooks';

const traces = new AsyncLocalStorage<string>();

/** Version, trace ID, parent ID, flags, and what later versions may add (W3C Trace Context, "traceparent Header"). */
const traceparent = /^((?!ff)[0-9a-f]{2})-((?!0{32})[0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?$/;
const firstVersionLength = 55;

/** The trace ID of a header `traceparent`; undefined if the header is missing or invalid. */
export function readTraceId(header = ''): string | undefined {
  const [, version, id] = traceparent.exec(header) ?? [];
  return version === '00' && header.length !== firstVersionLength ? undefined : id;
}

/** Runs the work of a request. Its log lines have the trace ID of its header, if it is valid. */
export function runTraced<T>(header: string | undefined, work: () => T): T {
  const id = readTraceId(header);
  return id === undefined ? work() : traces.run(id, work);
}

/** The trace ID of the request that is at work; undefined without one. */
export const currentTraceId = (): string | undefined => traces.getStore();
