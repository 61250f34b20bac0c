import { request as send } from 'node:http';
import { type RunningDouble, serveRaw } from '../doubles/serve.ts';

/**
 * A proxy before the service, for clients that send no token and do not know our rule for tool names. It adds the
 * token, and renames `test_simple_text` to `test.simple_text`.
 */
export function startAuthenticatingProxy(
  target: () => { url: string; token: string },
): Promise<RunningDouble> {
  return serveRaw(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const body = Buffer.concat(chunks)
      .toString()
      .replace(/"test_(\w+)"/g, '"test.$1"');
    const { url, token } = target();
    const { 'content-length': _length, 'transfer-encoding': _encoding, ...given } = incoming.headers;
    const headers = { ...given, authorization: `Bearer ${token}`, 'content-length': Buffer.byteLength(body) };
    const name = given['mcp-name'];
    if (typeof name === 'string') Object.assign(headers, { 'mcp-name': name.replace(/^test_/, 'test.') });
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
