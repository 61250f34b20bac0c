import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Between } from '../../support/functions.ts';

/** Stands before the database and counts what writes, but not the records of refusals in the audit log. */
export interface CountingProxy extends Between {
  writes(): number;
}

export async function startCountingProxy(target: string): Promise<CountingProxy> {
  let writes = 0;
  const server = createServer((incoming, outgoing) => {
    const operation = String(incoming.headers['x-amz-target']).split('.').at(-1) ?? '';
    const isWrite = !/^(Get|BatchGet|Query|Describe)/.test(operation);
    const parts: Buffer[] = [];
    if (isWrite) incoming.on('data', (part) => parts.push(part));
    incoming.on('end', () => {
      if (isWrite && !isOfLog(Buffer.concat(parts).toString())) writes += 1;
    });
    const { method, url, headers } = incoming;
    const passed = request(new URL(url ?? '/', target), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    writes: () => writes,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Whether every item that a request names is one of the audit log. */
function isOfLog(body: string): boolean {
  const partitions = [...body.matchAll(/"pk":\{"S":"([^"]*)"/g)].map(([, pk = '']) => pk);
  return partitions.length > 0 && partitions.every((pk) => /^AUDIT(?:_COUNT)?#/.test(pk));
}
