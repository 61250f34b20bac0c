import { type Answer, exchange } from '#shared/net/exchange.ts';
import { toPath } from '../cloud-requests.ts';
import { type CosAccount, signRequest } from './signing.ts';

interface Call {
  /** In milliseconds since 1970. */
  deadline: number;
  method: 'HEAD' | 'GET' | 'PUT' | 'DELETE';
  key: string;
  headers?: Record<string, string>;
  body?: Uint8Array;
  /** Most bytes of the answer. @default 65,536: errors come as a small XML document */
  maxBytes?: number;
}

export const maxDocumentBytes = 65_536;

/** Creates the function that sends signed requests to one bucket. */
export function createSend(account: CosAccount) {
  const { host } = new URL(account.origin);
  return (call: Call): Promise<Answer> => {
    const { deadline, method, key, body, maxBytes = maxDocumentBytes } = call;
    const headers: Record<string, string> = { host, ...call.headers };
    if (method === 'PUT') headers['content-length'] = String(body?.length ?? 0);
    headers.authorization = signRequest(account, method, key, headers);
    const parts = body ? [body] : [];
    const timeoutMs = deadline - Date.now();
    return exchange({ url: account.origin + toPath(key), method, headers, body: parts, maxBytes, timeoutMs });
  };
}

/** @throws Error if an answer has another status */
export function expectStatus(status: number, call: string, answer: Answer): Answer {
  return answer.status === status ? answer : fail(call, answer);
}

export function fail(call: string, answer: Answer): never {
  throw new Error(`COS answered ${answer.status} ${codeOf(answer) ?? 'without a code'} to ${call}`);
}

/** Only the code: the rest of an answer may quote the request with its signature. */
export function codeOf({ bytes }: Answer): string | undefined {
  return /<Code>([A-Za-z.]{1,64})<\/Code>/.exec(String(bytes))?.[1];
}
