import { approveConnection } from '#modules/System/oauth/connections.ts';
import { addClient } from '#modules/System/oauth/register-clients.ts';
import { exchangeCode } from '#modules/System/oauth/tokens.ts';
import type { StoredEntry } from '#shared/audit/entry.ts';
import { hashApiToken, readApiToken } from '#shared/auth/api-token-text.ts';
import { keys } from '../../support/keys.ts';
import { authorizeParameters, createPkce } from '../../support/oauth.ts';
import type { Answer } from '../world/api.ts';
import { type Caller, newAdmin, type World } from '../world/world.ts';
import { defineFlow, type Flow } from './flow.ts';

const redirectUri = 'https://app.example/callback';
let registered: ReturnType<typeof addClient> | undefined;

/** One client for all runs: their number is limited. */
async function takeClient() {
  registered ??= addClient({ name: 'Desk client', redirect_uris: [redirectUri] });
  const { id, name } = await registered;
  return { id, name, host: null, redirectUris: [redirectUri] };
}

interface State extends Caller {
  /** ID of the connection. */
  id: string;
  path: string;
  form: Record<string, string>;
  /** The access token of the answer, or of the preparation. */
  access?: string;
}

/** A consent, with the request that exchanges its code. */
async function approve(): Promise<State> {
  const [{ adminId, token }, client] = [await newAdmin(), await takeClient()];
  const { verifier, challenge } = createPkce();
  const code = await approveConnection(
    { id: adminId, epoch: 1 },
    { client, redirectUri },
    { scopes: ['mcp:read'], challenge },
  );
  const form = {
    ...{ grant_type: 'authorization_code', client_id: client.id, code },
    ...{ redirect_uri: redirectUri, code_verifier: verifier },
  };
  return { adminId, token, id: readApiToken(code, 'mcpc_')?.id ?? '', path: '/oauth/token', form };
}

/** A connection, with a request about its refresh token. */
async function connect(path: string, name: string): Promise<State> {
  const { form, access: _access, ...state } = await approve();
  const { refresh_token } = await exchangeCode(form);
  const grant = path === '/oauth/token' && { grant_type: 'refresh_token' };
  return { ...state, path, form: { ...grant, client_id: form.client_id ?? '', [name]: refresh_token } };
}

/** These endpoints answer without the envelope. */
function readBare(answer: Answer): Answer {
  const { error = 'ok' } = JSON.parse(answer.text);
  return { ...answer, code: error === 'temporarily_unavailable' ? 'database.unavailable' : error };
}

/** The connection, which never has half of its hashes. */
async function read({ table }: World, { adminId, id }: State) {
  const item = await table.get(keys.apiToken(adminId, id));
  if (!item || (item.code_hash === undefined) === (item.refresh_hash === undefined)) {
    throw new Error('half a connection');
  }
  return item;
}

const common: Omit<Flow<State>, 'name' | 'prepare' | 'look'> = {
  async act({ api }, state) {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const body = Buffer.from(new URLSearchParams(state.form).toString());
    const answer = readBare(await api.form(state.path, { body, headers }));
    if (answer.code === 'ok') state.access = JSON.parse(answer.text).access_token;
    return answer;
  },
  async isShown({ steady }, { access }) {
    if (access === undefined) return true;
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    return (await steady.post('/mcp/service', list, access)).code === 'ok';
  },
  changes: ({ adminId, id }) => [keys.apiToken(adminId, id)],
  // The answer was lost, so the code or token counts as used twice.
  conflicts: ['invalid_grant'],
};
const isRecord = ({ action, target }: StoredEntry, { path, adminId, id }: State) =>
  action === path.slice(1) && target === `api_tokens:${adminId}:${id}`;

const exchange = defineFlow<State>({
  ...common,
  name: 'a code is exchanged',
  prepare: approve,
  look: async (world, state) => ((await read(world, state)).refresh_hash === undefined ? 'before' : 'after'),
  isRecord,
});

const refresh = defineFlow<State>({
  ...common,
  name: 'tokens are refreshed',
  prepare: () => connect('/oauth/token', 'refresh_token'),
  async look(world, state) {
    const item = await read(world, state);
    return item.refresh_hash === hashApiToken(state.form.refresh_token ?? '') ? 'before' : 'after';
  },
  isRecord,
});

const revoke = defineFlow<State>({
  ...common,
  name: 'a client revokes its tokens',
  prepare: () => connect('/oauth/revoke', 'token'),
  look: async (world, state) => ((await read(world, state)).revoked_at === undefined ? 'before' : 'after'),
  isShown: async () => true,
  isRecord,
});

const consent = defineFlow<State & { parameters: object }>({
  name: 'an administrator consents to a connection',
  async prepare() {
    const [{ adminId, token }, { id }] = [await newAdmin(), await takeClient()];
    const parameters = authorizeParameters(id, redirectUri, createPkce().challenge);
    return { adminId, token, id: '', path: '', form: {}, parameters };
  },
  act: ({ api }, { token, parameters }) =>
    api.post('/adminapi/system/oauth/approve', { ...parameters, approved: true }, token),
  async look({ table }, { adminId }) {
    const stored = await table.list(keys.apiTokens(adminId));
    const found = stored.filter(({ kind }) => kind === 'oauth');
    const client = (await takeClient()).id;
    const links = await table.list(`OAUTH_CONNECTIONS#${client}`);
    const linked = found.filter(({ id }) => links.some(({ sk }) => sk === `${adminId}#${id}`));
    if (linked.length !== found.length || stored.length !== found.length + Math.min(1, found.length)) {
      throw new Error('half a consent');
    }
    return found.length > 0 ? 'after' : 'before';
  },
  isShown: async () => true,
  changes: () => [],
  isRecord: ({ action, actor }, { adminId }) => action === 'system/oauth/approve' && actor.id === adminId,
});

export const oauthFlows: readonly Flow[] = [consent, exchange, refresh, revoke];
