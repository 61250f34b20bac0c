import { createHash } from 'node:crypto';
import fc from 'fast-check';
import type { HostileRequest } from '../request.ts';
import { hostileText } from './texts.ts';

// A connection by OAuth: registered client, consent, code, tokens. Each step needs what the one before has answered.

const redirectUri = 'https://app.example/callback';
const verifier = 'the-verifier-of-all-hostile-requests-to-connect';
const challenge = createHash('sha256').update(verifier).digest('base64url');

/** Usually the right value. */
const usually = (value: string) =>
  fc.oneof({ weight: 9, arbitrary: fc.constant(value) }, { weight: 1, arbitrary: hostileText });
const client = usually('~oauth_client.0~');
const scope = fc.constantFrom('mcp:read', 'mcp:read mcp:write', 'mcp:write', 'admin');

/** A client, and a consent that is right but for the client's ID. */
export const registration = { name: 'Desk client', redirect_uris: [redirectUri] };
export const consent = {
  response_type: 'code',
  redirect_uri: redirectUri,
  resource: 'http://localhost:3000/mcp/service',
  code_challenge: challenge,
  code_challenge_method: 'S256',
  approved: true,
};

export const newClient = fc.record({ name: hostileText, redirect_uris: fc.constant([redirectUri]) });

/** Parameters of a request to connect. */
const parameters = {
  response_type: usually('code'),
  client_id: client,
  redirect_uri: usually(redirectUri),
  scope,
  state: hostileText,
  resource: usually('http://localhost:3000/mcp/service'),
  code_challenge: usually(challenge),
  code_challenge_method: usually('S256'),
};
export const approval = fc.record({ ...parameters, approved: fc.constantFrom(true, true, true, false) });

/** Fields of the query, by name. */
export const authorizeFields: Record<string, fc.Arbitrary<unknown>> = parameters;

/** A code or token that exists, as it is or respelled. */
const existing = (kind: string) =>
  fc.constantFrom(`~${kind}.0~`, `~${kind}.0~`, `~${kind}.1~`, `~${kind}.0.1~`);

const exchange = fc.record({
  grant_type: usually('authorization_code'),
  client_id: client,
  code: existing('oauth_code'),
  redirect_uri: usually(redirectUri),
  code_verifier: usually(verifier),
});
const refresh = fc.record({
  grant_type: fc.constant('refresh_token'),
  client_id: client,
  refresh_token: existing('oauth_refresh'),
});
const revocation = fc.record({
  client_id: client,
  token: fc.oneof(existing('oauth_refresh'), existing('oauth_access')),
});

type Body = Pick<HostileRequest, 'body' | 'headers' | 'isBase64'>;

const toText = (fields: Record<string, string>) =>
  Object.entries(fields)
    .map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`)
    .join('&');
const asForm = (text: string, type = 'application/x-www-form-urlencoded'): Body => ({
  headers: { 'content-type': type },
  body: { text },
});

/** The exchange of the last code, with placeholders. */
export const goodExchange = toText({
  grant_type: 'authorization_code',
  client_id: '~oauth_client.0~',
  code: '~oauth_code.0~',
  redirect_uri: redirectUri,
  code_verifier: verifier,
});

/** Bodies of the endpoints that take forms of texts. */
export function textForm(path: string) {
  const fields = path.endsWith('/revoke') ? revocation : fc.oneof(exchange, refresh);
  const good = fields.map((each) => asForm(toText(each)));
  const bad = fc.oneof(
    fc.tuple(fields, hostileText).map(([each, text]) => asForm(`${toText(each)}&${text}`)),
    fc.tuple(fields, fields).map((each) => asForm(each.map(toText).join('&'))),
    hostileText.map((text) => asForm(text)),
    fields.map((each) => asForm(JSON.stringify(each), 'application/json')),
    fields.map((each) => asForm(toText(each), 'multipart/form-data; boundary=x')),
  );
  return { good, bad };
}
