import type { AuthorizationServer, Client, ClientAuth } from 'oauth4webapi';
import { environment } from '#shared/config/environment.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { log } from '#shared/log/log.ts';
import { exchange } from '#shared/net/exchange.ts';
import { OutboundError } from '#shared/net/outbound-error.ts';
import { readSettings } from '#shared/settings/store.ts';
import systemErrors from '../errors.ts';
import { oidc } from './settings.ts';

// All requests to the provider. Its library loads with the first login by it.

/** Signatures by keys of the provider alone: neither none nor a shared secret. */
const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'Ed25519',
  'EdDSA',
];
/** How long the provider's own description is kept, in milliseconds. The library keeps its keys for five minutes. */
const keepMs = 600_000;
const timeoutMs = 5000;
const maxBytes = 262_144;

/** The part of the settings that a login needs. */
export interface ProviderSettings {
  issuer: string;
  client_id: string;
  client_secret: string;
  scopes: string;
  create: string;
}

/** Who has logged in at the provider. */
export interface SsoIdentity {
  issuer: string;
  subject: string;
  /** End of the login, in Unix seconds. */
  endsAt: number;
  /** What the provider calls them; empty if it does not say. */
  name: string;
}

/** What a callback brought, and what its login had begun with. */
export interface SsoCallback {
  parameters: URLSearchParams;
  state: string;
  nonce: string;
  verifier: string;
}

const loadLibrary = () => import('oauth4webapi');
type Library = Awaited<ReturnType<typeof loadLibrary>>;

/** The description of one provider, as it was last read. */
let kept: { atMs: number; issuer: string; server: AuthorizationServer } | undefined;

/** @throws AppError `sso.off` */
export async function readProviderSettings(): Promise<ProviderSettings> {
  const settings = await readSettings(oidc);
  if (!settings.issuer || !settings.client_id) throw systemErrors.create('sso.off');
  return settings;
}

/** The page of the console to which the provider sends the browser back. */
export const redirectUri = (): string => `${environment().publicUrl}/console/sso`;

/**
 * The address at which an administrator logs in, and the secrets of this login.
 *
 * @throws AppError `sso.off`, `sso.provider_failed`
 */
export async function beginAtProvider() {
  const settings = await readProviderSettings();
  return asking(async () => {
    const library = await loadLibrary();
    const server = await findServer(library, settings.issuer);
    const [state, nonce, verifier] = [
      library.generateRandomState(),
      library.generateRandomNonce(),
      library.generateRandomCodeVerifier(),
    ];
    const url = new URL(server.authorization_endpoint ?? '');
    // The browser is sent there.
    if (!/^https?:$/.test(url.protocol)) throw new Error('authorization_endpoint is no web address');
    const parameters = {
      response_type: 'code',
      client_id: settings.client_id,
      redirect_uri: redirectUri(),
      scope: settings.scopes,
      state,
      nonce,
      code_challenge: await library.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    };
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    return { url: url.href, issuer: settings.issuer, state, nonce, verifier };
  });
}

/**
 * Exchanges the code of a callback for an ID token, and checks it.
 *
 * @throws AppError `auth.sso_invalid` if the provider refused the login; `sso.provider_failed`
 */
export async function finishAtProvider(
  settings: ProviderSettings,
  callback: SsoCallback,
): Promise<SsoIdentity> {
  return asking(async () => {
    const library = await loadLibrary();
    const server = await findServer(library, settings.issuer);
    const client: Client = { client_id: settings.client_id, [library.clockTolerance]: 30 };
    const given = readParameters(library, server, client, callback);
    const response = await library.authorizationCodeGrantRequest(
      server,
      client,
      findClientAuth(library, server, settings),
      given,
      redirectUri(),
      callback.verifier,
      optionsOf(library),
    );
    const expected = { expectedNonce: callback.nonce, requireIdToken: true };
    const tokens = await library.processAuthorizationCodeResponse(server, client, response, expected);
    await checkSignature(library, server, response, settings.issuer);
    const claims = library.getValidatedIdTokenClaims(tokens);
    if (!claims) throw new Error('no ID token');
    const name = typeof claims.name === 'string' ? claims.name : '';
    return { issuer: claims.iss, subject: claims.sub, endsAt: claims.exp, name };
  });
}

/** @throws AppError `auth.sso_invalid`, also if the callback names another issuer */
function readParameters(
  library: Library,
  server: AuthorizationServer,
  client: Client,
  { parameters, state }: SsoCallback,
): URLSearchParams {
  try {
    return library.validateAuthResponse(server, client, parameters, state);
  } catch (cause) {
    const reason = describe(cause);
    log.warn('sso.callback_refused', { reason });
    throw systemErrors.create('auth.sso_invalid', { cause: new Error(reason) });
  }
}

/** Keys that the provider has just begun to use are not among the kept ones: they are read once more. */
async function checkSignature(
  library: Library,
  server: AuthorizationServer,
  response: Response,
  issuer: string,
): Promise<void> {
  const options = optionsOf(library);
  try {
    await library.validateApplicationLevelSignature(server, response, options);
  } catch (error) {
    if (Object(error).code !== library.KEY_SELECTION) throw error;
    const renewed = { ...server };
    if (kept?.server === server) kept = { atMs: kept.atMs, issuer, server: renewed };
    await library.validateApplicationLevelSignature(renewed, response, options);
  }
}

async function findServer(library: Library, issuer: string): Promise<AuthorizationServer> {
  const now = performance.now();
  if (kept?.issuer === issuer && now - kept.atMs < keepMs) return kept.server;
  const url = new URL(issuer);
  const response = await library.discoveryRequest(url, optionsOf(library));
  const described = await library.processDiscoveryResponse(url, response);
  const offered = described.id_token_signing_alg_values_supported ?? ['RS256'];
  const server = {
    ...described,
    id_token_signing_alg_values_supported: algorithms.filter((each) => offered.includes(each)),
  };
  kept = { atMs: now, issuer, server };
  return server;
}

function findClientAuth(
  library: Library,
  { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] }: AuthorizationServer,
  { client_secret }: ProviderSettings,
): ClientAuth {
  if (client_secret === '') return library.None();
  // Not all providers decode a secret in the header as the standard encodes it.
  return methods.includes('client_secret_post')
    ? library.ClientSecretPost(client_secret)
    : library.ClientSecretBasic(client_secret);
}

const optionsOf = (library: Library) => ({
  [library.customFetch]: fetchGuarded,
  // Only where private endpoints are allowed, as on the machine of a developer.
  [library.allowInsecureRequests]: environment().allowPrivateEndpoints,
});

interface LibraryRequest {
  method: string;
  headers: Record<string, string>;
  body?: URLSearchParams | undefined;
}

async function fetchGuarded(url: string, { method, headers, body }: LibraryRequest): Promise<Response> {
  const answer = await exchange({
    url,
    method: method === 'POST' ? 'POST' : 'GET',
    headers,
    body: body === undefined ? [] : [Buffer.from(String(body))],
    timeoutMs,
    maxBytes,
  });
  const type = answer.headers['content-type'] ?? '';
  return new Response(Uint8Array.from(answer.bytes), {
    status: answer.status,
    headers: { 'content-type': type },
  });
}

/** @throws AppError `sso.provider_failed` for every failure but an AppError. Its cause, which is logged, holds no token */
async function asking<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw systemErrors.create('sso.provider_failed', { cause: new Error(describe(error)) });
  }
}

/** A code of the library, of OAuth or of this service: messages and causes quote answers, which hold tokens. */
function describe(error: unknown): string {
  if (error instanceof OutboundError) return error.message;
  const { code, error: answered } = Object(error);
  const words = [code, answered].filter((word) => typeof word === 'string' && /^[\w-]{1,80}$/.test(word));
  return words.join(' ') || 'unusable answer';
}
