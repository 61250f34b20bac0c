// Replace the globals of the same names in the bundle of the MCP service. Node's own load undici, which takes 30 ms
// of a cold start. Requests with a parsed body and JSON answers do not need it; all others use Node's own.
// Bundled code calls these functions with `new`, which returns the function's result.

type HeadersInit = Iterable<readonly [string, string]> | Record<string, string>;

/** Headers with one value each. Names are case-insensitive. */
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

type RequestInit = { method: string; headers: Headers; body: string | null };

/** With a body, returns Node's own. The body is null if it is already parsed. */
export function Request(url: string, { method, headers, body }: RequestInit) {
  if (body !== null) return new globalThis.Request(url, { method, headers: [...headers], body });
  return { url, method, headers, body };
}

type ResponseInit = { status?: number; headers?: HeadersInit };

/** With a stream, returns Node's own. */
function createResponse(body: string | ReadableStream | null, { status = 200, headers }: ResponseInit = {}) {
  const own = new Headers(headers);
  if (body !== null && typeof body !== 'string') {
    return new globalThis.Response(body, { status, headers: [...own] });
  }
  return { status, headers: own, body, text: async () => body ?? '' };
}

const createJson = (data: unknown, { status, headers }: ResponseInit = {}) =>
  createResponse(JSON.stringify(data), {
    status,
    headers: [['content-type', 'application/json'], ...new Headers(headers)],
  });

// Marked, so that files that do not use it are bundled without it.
export const Response = /* @__PURE__ */ Object.assign(createResponse, { json: createJson });
