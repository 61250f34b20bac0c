import { defaults } from '#build/console/api.ts';
import { locale, t } from './locale.ts';

/** A refusal of the service, or the code `network` if it did not answer. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: string;
  /** HTTP status; 0 without an answer. */
  readonly status: number;
  readonly errors: readonly { path: string; message: string }[];
  readonly data: unknown;
  readonly requestId: string | undefined;
  /** From `Retry-After`. */
  readonly retryAfterSeconds: number | undefined;

  constructor(message: string, status: number, envelope: Partial<Envelope> = {}, retryAfter?: string | null) {
    super(envelope.message ?? message);
    this.status = status;
    this.code = envelope.code ?? (status === 0 ? 'network' : 'unknown');
    this.errors = envelope.errors ?? [];
    this.data = envelope.data;
    this.requestId = envelope.request_id;
    this.retryAfterSeconds = retryAfter ? Number(retryAfter) : undefined;
  }
}

interface Envelope {
  code: string;
  message: string;
  data: unknown;
  request_id: string;
  errors?: { path: string; message: string }[];
}

/** What the session adds to requests. It is set once, by `session.ts`. */
export const authentication = {
  token: (): string | undefined => undefined,
  /** Resolves after the operator has logged in again; rejects if they did not. */
  renew: async (_error: ApiError): Promise<void> => {
    throw _error;
  },
  /** Resolves after the operator has given the second factor; rejects if they did not. */
  giveFactor: async (error: ApiError): Promise<void> => {
    throw error;
  },
  /** The administrator was disabled or deleted. */
  disabled: (): void => {},
  lost: (_isLost: boolean): void => {},
};

/** `fetch` with the login and the locale. @throws ApiError for every answer but 2xx, and without an answer */
export async function send(url: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  return withLogin(async (token) => {
    const response = await fetchWith(url, init, token);
    if (response.ok) return response;
    throw await readError(response);
  });
}

/**
 * Sends a request with the login's token. If the login has ended, or needs the second factor once more, sends it again
 * after the operator has given what is missing.
 */
export async function withLogin<Answer>(request: (token?: string) => Promise<Answer>): Promise<Answer> {
  const token = authentication.token();
  try {
    return await request(token);
  } catch (error) {
    if (!(error instanceof ApiError) || !authentication.token()) throw error;
    if (error.code === 'auth.factor_required') {
      await authentication.giveFactor(error);
      return request(authentication.token());
    }
    if (error.status !== 401) throw error;
    if (error.code === 'auth.principal_disabled') authentication.disabled();
    if (!error.code.startsWith('auth.token')) throw error;
    // Another request may have renewed the login meanwhile.
    if (token === authentication.token()) await authentication.renew(error);
    return request(authentication.token());
  }
}

async function fetchWith(url: string | URL | Request, init: RequestInit, token?: string): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set('x-language', locale.value);
  if (token) headers.set('authorization', `Bearer ${token}`);
  try {
    const response = await fetch(url, { ...init, headers, credentials: 'same-origin', cache: 'no-cache' });
    authentication.lost(false);
    return response;
  } catch (cause) {
    if (init.signal?.aborted) throw cause;
    authentication.lost(true);
    throw new ApiError(t('app.offline'), 0);
  }
}

async function readError(response: Response): Promise<ApiError> {
  const envelope: Partial<Envelope> = await response.json().catch(() => ({}));
  const text = `${response.status} ${response.statusText}`;
  return new ApiError(text, response.status, envelope, response.headers.get('retry-after'));
}

/**
 * Calls a route by its path. Pages with a fixed route use the generated client `#build/console/api.ts`, which is typed.
 *
 * @returns `data` of the envelope
 * @throws ApiError
 */
export async function call<Data = unknown>(
  method: string,
  path: string,
  values: Record<string, unknown> = {},
  signal?: AbortSignal,
): Promise<Data> {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== '');
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  const isGet = method === 'GET';
  const response = await send(isGet && given.length > 0 ? `${path}?${query}` : path, {
    method,
    signal: signal ?? null,
    ...(!isGet && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(values) }),
  });
  return (await response.json()).data;
}

defaults.baseUrl = location.origin;
defaults.fetch = send;
