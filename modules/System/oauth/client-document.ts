import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { signedFormat } from '#shared/cache/cache-entry.ts';
import { redis } from '#shared/cache/redis.ts';
import { environment } from '#shared/config/environment.ts';
import { log } from '#shared/log/log.ts';
import { createGuardedAgents, exchange, guardedAgents } from '#shared/net/exchange.ts';
import { OutboundError } from '#shared/net/outbound-error.ts';
import { toPlainLine } from '#shared/schema/text.ts';
import systemErrors from '../errors.ts';
import { isAllowedRedirect } from './redirects.ts';

// Client ID metadata documents (draft-ietf-oauth-client-id-metadata-document): the ID of a client is the URL of a
// document about it. Neither the caller nor the author of the document is trusted.

/** A client that may ask for a connection. */
export interface OAuthClient {
  /** A registered ID, or the URL of the metadata document. */
  id: string;
  /** As the client calls itself. */
  name: string;
  /** Host of the metadata document; null for a registered client. */
  host: string | null;
  redirectUris: readonly string[];
}

/** Largest document, in bytes, as the draft recommends. */
const limitBytes = 5 * 1024;
const timeoutMs = 4000;
const cacheSeconds = { found: 600, refused: 60 };
const nameLength = 80;
const maxRedirects = 50;

const document = z.object({
  client_id: z.string(),
  client_name: z.optional(z.string()),
  redirect_uris: z.array(z.string()),
  token_endpoint_auth_method: z.optional(z.string()),
  token_endpoint_auth_methods_supported: z.optional(z.array(z.string())),
  grant_types: z.optional(z.array(z.string())),
  response_types: z.optional(z.array(z.string())),
});

const cached = z.union([
  z.object({ name: z.string(), redirectUris: z.array(z.string()) }),
  z.object({ reason: z.string() }),
]);
type Cached = z.infer<typeof cached>;

/**
 * Reads the metadata document of a client, or its copy in the cache.
 *
 * @throws AppError `oauth.invalid_client`
 */
export async function readDocument(
  id: string,
  agents?: ReturnType<typeof guardedAgents>,
): Promise<OAuthClient> {
  const url = readClientUrl(id);
  if (!url) throw refuse('url_invalid');
  const key = `service:oauth-client:${createHash('sha256').update(id).digest('base64url')}`;
  const kept = await readCache(key);
  const found = kept ?? (await fetchDocument(id, agents ?? agentsFor(url)));
  if (!kept) await writeCache(key, found);
  if ('reason' in found) throw refuse(found.reason);
  return { id, host: url.host, ...found };
}

const refuse = (reason: string) => systemErrors.create('oauth.invalid_client', { params: { reason } });

/** The URL of a document; undefined unless it is written as URLs are, with a path, without credentials or fragment. */
export function readClientUrl(id: string): URL | undefined {
  const url = URL.parse(id);
  if (!url || url.href !== id || url.username || url.password || id.includes('#')) return undefined;
  if (url.pathname === '/') return undefined;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isOpenLoopback(url)) ? url : undefined;
}

/** Whether an ID names a document on this machine, which may be read. */
export function isLocalDocument(id: string): boolean {
  const url = readClientUrl(id);
  return url !== undefined && isOpenLoopback(url);
}

/** Whether documents are read from a URL because it is on this machine. In a function, its runtime's API is there. */
function isOpenLoopback({ hostname }: URL): boolean {
  const { allowPrivateEndpoints, isDeployed } = environment();
  const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  return isLoopback && allowPrivateEndpoints && !isDeployed;
}

/** Anybody can name a document: other private addresses, which operators may use, are closed to it. */
const publicOnly = createGuardedAgents({ allowPrivate: false });
const agentsFor = (url: URL) => (isOpenLoopback(url) ? guardedAgents() : publicOnly);

async function fetchDocument(id: string, agents: ReturnType<typeof guardedAgents>): Promise<Cached> {
  try {
    const headers = { accept: 'application/json' };
    const answer = await exchange({ url: id, headers, timeoutMs, maxBytes: limitBytes }, agents);
    if (answer.status !== 200) return { reason: `status_${answer.status}` };
    if (!/^application\/(?:.+\+)?json\s*(?:;|$)/i.test(answer.headers['content-type'] ?? ''))
      return { reason: 'not_json' };
    return checkDocument(id, answer.bytes.toString());
  } catch (error) {
    if (error instanceof OutboundError) return { reason: error.reason };
    throw error;
  }
}

/** What is kept of a document, or why it is refused. */
export function checkDocument(id: string, text: string): Cached {
  const parsed = z.safeParse(document, parseJson(text));
  if (!parsed.success) return { reason: 'document_invalid' };
  const { client_id, client_name, redirect_uris, ...methods } = parsed.data;
  // To the letter: a document cannot speak for another client.
  if (client_id !== id) return { reason: 'client_id_mismatch' };
  const { token_endpoint_auth_method = 'none', grant_types, response_types } = methods;
  // A client may prefer a method that only other services know (OpenID Connect RP Metadata Choices).
  const authMethods = [token_endpoint_auth_method, ...(methods.token_endpoint_auth_methods_supported ?? [])];
  if (!authMethods.includes('none')) return { reason: 'auth_method' };
  if (grant_types && !grant_types.includes('authorization_code')) return { reason: 'grant_types' };
  if (response_types && !response_types.includes('code')) return { reason: 'response_types' };
  const redirectUris = redirect_uris.filter(isAllowedRedirect).slice(0, maxRedirects);
  if (redirectUris.length === 0) return { reason: 'redirect_uris' };
  return { name: toPlainLine(client_name ?? '', nameLength) || new URL(id).host, redirectUris };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// Without the cache the document is fetched each time; the throttle limits that.

async function readCache(key: string): Promise<Cached | undefined> {
  try {
    const text = await redis().get<string>(key);
    const entry = text === null ? undefined : signedFormat.decode(key, text);
    return entry && z.parse(cached, entry.value);
  } catch (error) {
    log.warn('oauth.cache_failed', { error });
    return undefined;
  }
}

async function writeCache(key: string, value: Cached): Promise<void> {
  const ex = 'reason' in value ? cacheSeconds.refused : cacheSeconds.found;
  try {
    await redis().set(key, signedFormat.encode(key, { generation: '', value }, ex), { ex });
  } catch (error) {
    log.warn('oauth.cache_failed', { error });
  }
}
