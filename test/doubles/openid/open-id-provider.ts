import { spawn } from 'node:child_process';
import { createHmac, createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type RunningDouble, serveRaw } from '../serve.ts';

/** An ID token, before it is signed again. */
export interface MadeToken {
  header: Record<string, unknown>;
  claims: Record<string, unknown>;
  /** Undefined leaves the signature empty. */
  key: KeyObject | undefined;
}

export interface OpenIdProvider extends RunningDouble {
  issuer: string;
  client: { client_id: string; client_secret: string };
  /** Changes the next ID tokens. They are signed with a key that is published as `other`. */
  meddle?: ((token: MadeToken) => void) | undefined;
  /** Replaces the provider's answers. */
  answer?: ((path: string) => { status: number; body: unknown } | undefined) | undefined;
  /** Publishes a new key, in place of the one of the last call. */
  rotate(): { kid: string; key: KeyObject };
  /** Paths that were asked for. */
  asked: string[];
}

const client = { client_id: 'console', client_secret: 'secret-of-the-client-that-no-log-holds' };

/**
 * Starts `oidc-provider` behind a proxy that can change what it answers, on loopback.
 *
 * @param redirectUri of the client
 */
export async function startOpenIdProvider(redirectUri: string): Promise<OpenIdProvider> {
  const asked: string[] = [];
  let keys = [createKey('other')];
  let port = 0;
  const proxy = await serveRaw(async (incoming, response) => {
    const path = (incoming.url ?? '').split('?')[0] ?? '';
    asked.push(path);
    const replaced = double.answer?.(path);
    if (replaced) {
      response.writeHead(replaced.status, { 'content-type': 'application/json' });
      return void response.end(JSON.stringify(replaced.body));
    }
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const answer = await fetch(`http://127.0.0.1:${port}${incoming.url}`, {
      method: incoming.method ?? 'GET',
      headers: { ...toHeaders(incoming.headers), 'x-forwarded-host': new URL(proxy.url).host },
      redirect: 'manual',
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    const text = changeAnswer(path, await answer.text());
    response.statusCode = answer.status;
    for (const name of ['content-type', 'location']) {
      const value = answer.headers.get(name);
      if (value) response.setHeader(name, value);
    }
    response.setHeader('set-cookie', answer.headers.getSetCookie());
    response.end(text);
  });
  function changeAnswer(path: string, text: string): string {
    if (path === '/jwks') {
      const published = keys.map(({ kid, publicKey }) => ({
        ...publicKey.export({ format: 'jwk' }),
        ...{ kid, use: 'sig', alg: 'RS256' },
      }));
      return JSON.stringify({ keys: [...JSON.parse(text).keys, ...published] });
    }
    // Its form would load a font from the internet.
    if (path.startsWith('/interaction/')) return text.replace(/@import url\([^)]*\);?/g, '');
    if (path !== '/token' || !double.meddle || !text.includes('id_token')) return text;
    const answer = JSON.parse(text);
    return JSON.stringify({ ...answer, id_token: remake(answer.id_token, double.meddle, keys) });
  }
  const token_endpoint_auth_method = 'client_secret_post';
  const clients = [
    {
      ...client,
      token_endpoint_auth_method,
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code'],
    },
  ];
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'provider-process.ts'), JSON.stringify({ issuer: proxy.url, clients })],
    { stdio: ['pipe', 'pipe', 'ignore'] },
  );
  for await (const line of createInterface(child.stdout)) {
    port = Number(/^listening (\d+)/.exec(line)?.[1] ?? 0);
    if (port) break;
  }
  const double: OpenIdProvider = {
    url: proxy.url,
    issuer: proxy.url,
    client,
    asked,
    rotate() {
      const made = createKey(`rotated-${asked.length}`);
      keys = [made];
      return { kid: made.kid, key: made.privateKey };
    },
    async stop() {
      child.stdin.end();
      if (child.exitCode === null) await once(child, 'exit');
      await proxy.stop();
    },
  };
  return double;
}

const toHeaders = (given: NodeJS.Dict<string | string[]>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) =>
      ['connection', 'content-length', 'host', 'transfer-encoding'].includes(name) || value === undefined
        ? []
        : [[name, String(value)]],
    ),
  );

export function createKey(kid: string) {
  return { kid, ...generateKeyPairSync('rsa', { modulusLength: 2048 }) };
}

function remake(
  token: string,
  meddle: (token: MadeToken) => void,
  [other]: { kid: string; privateKey: KeyObject }[],
): string {
  const [header = '', claims = ''] = token.split('.');
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());
  const made: MadeToken = {
    header: { ...read(header), kid: other?.kid },
    claims: read(claims),
    key: other?.privateKey,
  };
  meddle(made);
  const signed = [made.header, made.claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${signed}.${sign(signed, made.key)}`;
}

function sign(text: string, key: KeyObject | undefined): string {
  if (!key) return '';
  return key.type === 'secret'
    ? createHmac('sha256', key).update(text).digest('base64url')
    : createSign('sha256').update(text).sign(key, 'base64url');
}
