import { ApiContract, type Observed } from './api-contract.ts';

type Fetch = typeof globalThis.fetch;

/** The contract of each watched server, by port; undefined until its first answer. */
const contracts = new Map<string, Promise<ApiContract> | undefined>();
let plainFetch: Fetch | undefined;

/**
 * Checks every answer that `fetch` gets from a server against the OpenAPI document of the server. An
 * answer that does not fit rejects the call.
 *
 * @param url where the server listens
 */
export function checkAnswersOf(url: string): void {
  contracts.set(new URL(url).port, undefined);
  if (plainFetch) return;
  const fetch = globalThis.fetch;
  plainFetch = fetch;
  globalThis.fetch = async (input, init) => {
    const response = await fetch(input, init);
    const { url: target, method } = input instanceof Request ? input : { url: String(input), method: 'GET' };
    if (isWatched(new URL(target))) {
      await check(new URL(target), init?.method ?? method, init?.body, response.clone());
    }
    return response;
  };
}

const isWatched = ({ hostname, port }: URL): boolean =>
  contracts.has(port) && ['127.0.0.1', 'localhost'].includes(hostname);

async function check(url: URL, method: string, sent: unknown, response: Response): Promise<void> {
  // The gateway's own answers, such as preflights, never reached a function.
  if (!response.headers.has('x-request-id') || method === 'OPTIONS') return;
  const contentType = response.headers.get('content-type') ?? '';
  const observed: Observed = {
    method,
    path: url.pathname,
    requestBody: typeof sent === 'string' ? sent : undefined,
    status: response.status,
    contentType,
    text: /\bjson\b/.test(contentType) ? await response.text() : '',
  };
  if ((await readContract(url)).findFault(observed) === undefined) return;
  // The sources may have changed since the document was read.
  contracts.set(url.port, undefined);
  const fault = (await readContract(url)).findFault(observed);
  if (fault !== undefined) throw new Error(`not as /openapi.json says: ${fault}`);
}

function readContract({ origin, port }: URL): Promise<ApiContract> {
  const known = contracts.get(port) ?? loadContract(origin);
  contracts.set(port, known);
  return known;
}

async function loadContract(origin: string): Promise<ApiContract> {
  const answer = await (plainFetch ?? fetch)(`${origin}/openapi.json`);
  return new ApiContract(Object(await answer.json()));
}
