import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Statement } from '#functions/stacks/roles.ts';
import type { Between } from './functions.ts';
import { listDenied } from './judge-request.ts';

/** @returns the roles that permit a request to the database, by the names of functions */
export type Roles = ReadonlyMap<string, readonly Statement[]>;

/**
 * Starts a proxy before the database that refuses as AWS does: requests that the role of no running function permits.
 * While no function runs, the test itself asks.
 */
export async function startJudge(
  target: string,
  roles: Roles,
  listRunning: () => readonly string[],
): Promise<Between> {
  const server = createServer(async (incoming, response) => {
    try {
      const body = await buffer(incoming);
      const headers = Object.fromEntries(
        Object.entries(incoming.headers).filter(([name]) => !connectionHeaders.has(name)),
      ) as Record<string, string>;
      const denied = judge(roles, listRunning(), String(headers['x-amz-target']), body.toString());
      if (denied) {
        console.error(denied);
        response.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' });
        return void response.end(JSON.stringify({ __type: accessDenied, message: denied }));
      }
      const answer = await fetch(target, { method: 'POST', headers, body: new Uint8Array(body) });
      const bytes = Buffer.from(await answer.arrayBuffer());
      const { 'transfer-encoding': _chunked, ...answered } = Object.fromEntries(answer.headers);
      response.writeHead(answer.status, { ...answered, 'content-length': bytes.length }).end(bytes);
    } catch {
      incoming.socket.destroy();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

const accessDenied = 'com.amazon.coral.service#AccessDeniedException';
const connectionHeaders = new Set(['connection', 'content-length', 'host', 'expect', 'transfer-encoding']);

/** Why a request is refused; undefined if it is permitted. */
function judge(roles: Roles, running: readonly string[], target: string, body: string): string | undefined {
  const operation = target.split('.')[1] ?? target;
  const denied = running.map((name) => listDenied(roles.get(name) ?? [], operation, JSON.parse(body)));
  if (denied.length === 0 || denied.some((each) => each.length === 0)) return undefined;
  return `${running.join()} may not ${denied[0]?.join(', ')}`;
}
