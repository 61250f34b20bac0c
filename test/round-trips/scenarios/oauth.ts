import type { FunctionRequest } from '../../support/function-event.ts';
import { authorizeParameters, codeOf, createPkce } from '../../support/oauth.ts';
import type { Kit } from '../kit.ts';
import type { RequestScenarios } from '../scenario.ts';

const base = '/adminapi/system/oauth';
const redirectUri = 'http://127.0.0.1/callback';

async function addClient({ admin, ask }: Kit): Promise<string> {
  const { id } = await ask(admin.post(`${base}/client/add`, { name: 'Trial', redirect_uris: [redirectUri] }));
  return String(id);
}

async function prepare(kit: Kit) {
  const clientId = await addClient(kit);
  const { verifier, challenge } = createPkce();
  return { clientId, verifier, parameters: authorizeParameters(clientId, redirectUri, challenge) };
}

const postForm = (path: string, fields: Record<string, string>): FunctionRequest => ({
  method: 'POST',
  path,
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(fields).toString(),
});

/** The request that exchanges a new code. */
async function exchange(kit: Kit) {
  const { clientId, verifier, parameters } = await prepare(kit);
  const { redirect } = await kit.ask(kit.admin.post(`${base}/approve`, { ...parameters, approved: true }));
  const form = {
    ...{ grant_type: 'authorization_code', client_id: clientId, code: codeOf(redirect) },
    ...{ redirect_uri: redirectUri, code_verifier: verifier },
  };
  return { clientId, request: postForm('/oauth/token', form) };
}

export async function connectClient(kit: Kit) {
  const { clientId, request } = await exchange(kit);
  const { body } = await kit.functions.call(request);
  const { access_token, refresh_token } = JSON.parse(body.toString());
  return { clientId, access: String(access_token), refresh: String(refresh_token) };
}

/** Clients that connect by OAuth. */
export const oauthScenarios: RequestScenarios = {
  'system-web-oauth-protected-resource': ({ guest }) => guest.get('/.well-known/oauth-protected-resource'),
  'system-web-oauth-authorization-server': ({ guest }) =>
    guest.get('/.well-known/oauth-authorization-server'),
  'system-web-oauth-authorize': async (kit) =>
    kit.guest.get('/oauth/authorize', (await prepare(kit)).parameters),
  'system-web-oauth-token': async (kit) => (await exchange(kit)).request,
  'system-web-oauth-token refresh': async (kit) => {
    const { clientId: client_id, refresh: refresh_token } = await connectClient(kit);
    return postForm('/oauth/token', { grant_type: 'refresh_token', client_id, refresh_token });
  },
  'system-web-oauth-revoke': async (kit) => {
    const { clientId: client_id, refresh: token } = await connectClient(kit);
    return postForm('/oauth/revoke', { client_id, token });
  },
  'system-admin-oauth-request': async (kit) =>
    kit.admin.get(`${base}/request`, (await prepare(kit)).parameters),
  'system-admin-oauth-approve': async (kit) =>
    kit.admin.post(`${base}/approve`, { ...(await prepare(kit)).parameters, approved: true }),
  'system-admin-oauth-client-list': async (kit) => {
    await addClient(kit);
    return kit.admin.get(`${base}/client/list`);
  },
  'system-admin-oauth-client-add': ({ admin }) =>
    admin.post(`${base}/client/add`, { name: 'Trial', redirect_uris: [redirectUri] }),
  'system-admin-oauth-client-delete': async (kit) =>
    kit.admin.post(`${base}/client/delete`, { id: (await connectClient(kit)).clientId }),
  'system-admin-oauth-client-revoke': async (kit) =>
    kit.admin.post(`${base}/client/revoke`, { id: (await connectClient(kit)).clientId }),
};
