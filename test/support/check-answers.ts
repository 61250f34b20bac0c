import { type ApiContract, createContract } from './api-contract.ts';

/** The contract of each server, by port; read when the first answer is checked. */
const contracts = new Map<string, Promise<ApiContract>>();
let isWatching = false;

/**
 * Holds every answer that `fetch` gets of a server against the OpenAPI document that the server hands out. An
 * answer that does not fit rejects the call.
 *
 * @param url where the server listens
 */
export function checkAnswersOf(url: string): void {
  const { port } = new URL(url);
  contracts.delete(port);
  watched.add(port);
  if (isWatching) return;
  isWatching = true;
  const plain = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const response = await plain(input, init);
    const request = new Request(input, { method: init?.method ?? 'GET' });
    const target = new URL(request.url);
    if (isWatched(target)) await check(plain, target, request.method, init?.body, response.clone());
    return response;
  };
}

const watched = new Set<string>();
const isWatched = ({ hostname, port }: URL): boolean =>
  watched.has(port) && ['127.0.0.1', 'localhost'].includes(hostname);

async function check(
  plain: typeof fetch,
  { origin, port, pathname }: URL,
  method: string,
  body: unknown,
  response: Response,
): Promise<void> {
  // What the gateway answers by itself never reached a function; preflights are its own too.
  if (!response.headers.has('x-request-id') || method === 'OPTIONS') return;
  const contentType = response.headers.get('content-type') ?? '';
  const observed = {
    method,
    path: pathname,
    requestBody: typeof body === 'string' ? body : undefined,
    status: response.status,
    contentType,
    text: /\bjson\b/.test(contentType) ? await response.text() : '',
  };
  const load = async () => {
    const answer = await plain(`${origin}/openapi.json`);
    return createContract(Object(await answer.json()));
  };
  const known = contracts.get(port) ?? load();
  contracts.set(port, known);
  if ((await known).findFault(observed) === undefined) return;
  // The sources may have changed since.
  contracts.set(port, load());
  const fault = (await contracts.get(port))?.findFault(observed);
  if (fault !== undefined) throw new Error(`not as /openapi.json says: ${fault}`);
}
