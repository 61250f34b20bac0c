import type { ServerResponse } from 'node:http';
import { type RunningDouble, serveRaw } from './serve.ts';

/** Useless answers of a provider, or of a server in its place. */
export type Misbehaviour =
  | 'hangs'
  | 'hangs in its body'
  | 'hangs up'
  | 'breaks off'
  | 'answers HTML'
  | 'answers garbage'
  | 'answers nothing'
  | 'answers 500 with HTML'
  | 'answers 502 with JSON'
  | 'answers other JSON'
  | 'redirects'
  | 'answers too much';

/** All of them, for tables of tests. */
export const misbehaviours: readonly Misbehaviour[] = [
  'hangs',
  'hangs in its body',
  'hangs up',
  'breaks off',
  'answers HTML',
  'answers garbage',
  'answers nothing',
  'answers 500 with HTML',
  'answers 502 with JSON',
  'answers other JSON',
  'redirects',
  'answers too much',
];

export interface MisbehavingDouble extends RunningDouble {
  misbehaviour: Misbehaviour;
  requests: number;
  /** Settles with the first request. */
  arrived: Promise<void>;
  /** JSON for the kinds that answer JSON. @default meaningless JSON */
  answer?: unknown;
  /** Target of redirects; it must get no request. */
  redirectTo: string;
}

const html = '<!doctype html><title>Sign in to the network</title>';

/** Writes without end, as fast as it is read; the head has to be set before. */
export function pour(response: ServerResponse): void {
  // An answer to HEAD has no body: nothing would ever make it wait.
  if (response.req.method === 'HEAD') return void response.end();
  const more = () => {
    while (response.write('x'.repeat(65_536)));
  };
  response.on('drain', more);
  response.write('"');
  more();
}

/** A server that answers every request in the same wrong way. */
export async function startMisbehaving(misbehaviour: Misbehaviour): Promise<MisbehavingDouble> {
  const arrival = Promise.withResolvers<void>();
  const running = await serveRaw((incoming, response) => {
    double.requests += 1;
    arrival.resolve();
    // A body repeats the request, so that a test can see it leak.
    const echo = `${incoming.url} ${incoming.headers.authorization}`;
    switch (double.misbehaviour) {
      case 'hangs':
        return;
      case 'hangs in its body':
        response.writeHead(200, { 'content-type': 'application/json' }).write('{"a":');
        return;
      case 'hangs up':
        return void incoming.socket.destroy();
      case 'breaks off':
        response.writeHead(200, { 'content-length': '100' });
        return void response.write('{"a":', () => incoming.socket.destroy());
      case 'answers HTML':
        return void response.writeHead(200, { 'content-type': 'text/html' }).end(`${html}${echo}`);
      case 'answers garbage':
        return void response.writeHead(200, { 'content-type': 'application/json' }).end(`{"a":${echo}`);
      case 'answers nothing':
        return void response.writeHead(200).end();
      case 'answers 500 with HTML':
        return void response.writeHead(500, { 'content-type': 'text/html' }).end(`${html}${echo}`);
      case 'answers 502 with JSON':
        return void response.writeHead(502).end(JSON.stringify(double.answer ?? { message: echo }));
      case 'answers other JSON':
        return void response.writeHead(200).end(JSON.stringify(double.answer ?? ['something else', echo]));
      case 'redirects':
        return void response.writeHead(302, { location: `${double.redirectTo}${incoming.url}` }).end();
      case 'answers too much':
        return pour(response.writeHead(200));
    }
  });
  const { promise: arrived } = arrival;
  const double: MisbehavingDouble = {
    ...running,
    misbehaviour,
    requests: 0,
    arrived,
    redirectTo: running.url,
  };
  return double;
}
