// Stand in for the globals of the same names in the bundle of the MCP service. Touching Node's own loads undici,
// which costs a cold start 30 ms; a request whose body is parsed and an answer in JSON need none of it. Anything
// else gets Node's own. Bundled code calls them with `new`, which returns what a function returns.

type HeadersInit = Iterable<readonly [string, string]> | Record<string, string>;

/** Headers of one value each; names in any case. */
export class Headers {
  readonly #values = new Map<string, string>();

  constructor(init: HeadersInit = {}) {
    const pairs = Symbol.iterator in init ? init : Object.entries(init);
    for (const [name, value] of pairs) this.set(name, value);
  }

  get(name: string): string | null {
    return this.#values.get(name.toLowerCase()) ?? null;
  }

  has(name: string): boolean {
    return this.#values.has(name.toLowerCase());
  }

  set(name: string, value: string): void {
    this.#values.set(name.toLowerCase(), value);
  }

  [Symbol.iterator]() {
    return this.#values[Symbol.iterator]();
  }
}

interface RequestInit {
  method: string;
  headers: Headers;
  /** Null if it is parsed. */
  body: string | null;
}

/** A request without a body; with a body it is Node's own. */
export function Request(url: string, { method, headers, body }: RequestInit) {
  if (body !== null) return new globalThis.Request(url, { method, headers: [...headers], body });
  return { url, method, headers, body };
}

interface ResponseInit {
  status?: number;
  headers?: HeadersInit;
}

/** An answer with a text or without a body; with a stream it is Node's own. */
export function Response(body: string | ReadableStream | null, { status = 200, headers }: ResponseInit = {}) {
  const own = new Headers(headers);
  if (body !== null && typeof body !== 'string') {
    return new globalThis.Response(body, { status, headers: [...own] });
  }
  return { status, headers: own, body, text: async () => body ?? '' };
}

Response.json = (data: unknown, { status, headers }: ResponseInit = {}) =>
  Response(JSON.stringify(data), {
    status,
    headers: [['content-type', 'application/json'], ...new Headers(headers)],
  });
