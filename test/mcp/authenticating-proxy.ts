import { request as send } from 'node:http';
import { type RunningDouble, serveRaw } from '../doubles/serve.ts';

/** A proxy before the service, for clients that send no token. It adds the token. */
export function startAuthenticatingProxy(
  target: () => { url: string; token: string },
): Promise<RunningDouble> {
  return serveRaw(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const { url, token } = target();
    const { 'content-length': _length, 'transfer-encoding': _encoding, ...given } = incoming.headers;
    const headers = { ...given, authorization: `Bearer ${token}`, 'content-length': body.length };
    const outgoing = send(
      `${url}${incoming.url}`,
      { method: incoming.method ?? 'GET', headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    outgoing.on('error', () => response.destroy());
    outgoing.end(body);
  });
}
