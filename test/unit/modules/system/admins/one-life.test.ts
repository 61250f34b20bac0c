import { expect, test } from '@jest/globals';
import { findDynoxide } from '#cli/local/dynamodb/dynoxide.ts';
import { loginAdmin } from '#modules/System/admins/admin-login.ts';
import {
  addAdmin,
  changeOwnPassword,
  deleteAdmin,
  editAdmin,
  setAdminPassword,
  setAdminRoles,
} from '#modules/System/admins/admins.ts';
import { addApiToken } from '#modules/System/admins/api-tokens.ts';
import { confirmPassword } from '#modules/System/admins/confirm-password.ts';
import { createConfirmToken, redeemConfirmToken } from '#modules/System/assistant/confirm-token.ts';
import { approveConnection } from '#modules/System/oauth/connections.ts';
import { addClient } from '#modules/System/oauth/register-clients.ts';
import { mcpResource } from '#modules/System/oauth/resource.ts';
import { exchangeCode, refreshTokens } from '#modules/System/oauth/tokens.ts';
import { addRole, editRole, getRole } from '#modules/System/roles/roles.ts';
import { authenticate } from '#shared/auth/authenticate.ts';
import { authenticateMcp } from '#shared/auth/authenticate-mcp.ts';
import { currentCost } from '#shared/auth/password.ts';
import { isPermitted, type Permission, type Rights } from '#shared/auth/permission.ts';
import { adminPrincipals } from '#shared/auth/principal.ts';
import { unauthorized } from '#shared/auth/token.ts';
import { createRandom } from '../../../../fault/world/random.ts';
import { outcomesOf, randomLetters, useDatabase } from '../../../../support/database.ts';
import { createPkce } from '../../../../support/oauth.ts';
import { answer, assign, type Credential, end, type Owner } from './life-model.ts';

// A random sequence of events and uses. A small model, which knows no epoch, predicts every answer.

useDatabase(findDynoxide() ? 'dynoxide' : 'dynamodb-local');
// Every second step hashes a password.
Object.assign(currentCost, { ln: 4, p: 1 });

const steps = 10_000;
const seed = 20_261_124;
const ownerCount = 4;
const redirectUri = 'https://app.example/callback';
const writing: Permission = { path: 'article/article/add', kind: 'write' };
const grantsOf = (mayWrite: boolean) => ['article:read', ...(mayWrite ? ['article:write'] : [])];
const call = { name: 'shop.drop', arguments: 'digest' };

/** An administrator of the service, and of the model. */
interface Person extends Owner {
  id: string;
  account: string;
  password: string;
  credentials: Held[];
}
interface Held extends Credential {
  text: string;
  /** The access token that a refresh token replaces. */
  access?: Held;
}

class World {
  readonly people: Person[] = [];
  readonly roles: string[] = [];
  readonly writers = new Set<string>();
  readonly seen = new Map<string, number>();
  client = '';

  async prepare(): Promise<void> {
    for (const name of ['a', 'b', 'c'])
      this.roles.push((await addRole({ name, grants: grantsOf(false) })).id);
    this.client = (await addClient({ name: 'Desk', redirect_uris: [redirectUri] })).id;
    for (let count = 0; count < ownerCount; count += 1) this.people.push(await this.#hire());
  }

  /** Runs one step. @returns what was expected and what came */
  async step(pick: (most: number) => number): Promise<[name: string, expected: string, came: string]> {
    const person = this.#at(this.people, pick(ownerCount - 1));
    const dice = pick(99);
    if (dice < 60) return this.#use(person, pick);
    if (dice < 84) return this.#make(person, pick);
    return this.#happen(person, pick);
  }

  async #hire(): Promise<Person> {
    const account = randomLetters();
    const { id } = await addAdmin({ account, name: account, password: 'password 0' });
    const rights = { isEnabled: true, super: false, roles: [], credentials: [] };
    return { id, account, password: 'password 0', ...rights };
  }

  async #use(person: Person, pick: (most: number) => number): Promise<[string, string, string]> {
    // Those that have ended become many.
    const isAny = pick(2) === 0;
    const credentials = person.credentials.filter(({ isDead }) => isAny || !isDead);
    const used = credentials[pick(Math.max(0, credentials.length - 1))];
    if (!used) return ['nothing', '', ''];
    const expected = answer(person, used, this.writers);
    const came = await this.#answerOf(person, used);
    if (used.kind === 'confirmation' && came === 'done') used.isDead = true;
    return [`use ${used.kind}`, expected, came];
  }

  async #answerOf(person: Person, used: Held): Promise<string> {
    const judge = (caller: Rights) => (isPermitted(caller, writing) ? 'may write' : 'may not write');
    const bearer = `Bearer ${used.text}`;
    let came = 'done';
    const work = async () => {
      if (used.kind === 'session')
        came = judge((await authenticate(bearer, 'admin', adminPrincipals)).principal);
      else if (used.kind === 'refresh') await this.#refresh(used);
      else if (used.kind === 'confirmation')
        await redeemConfirmToken(used.text, await callerOf(person), call);
      else came = judge((await authenticateMcp(bearer, mcpResource())).admin);
    };
    const [outcome = ''] = await outcomesOf([work()]);
    return outcome === 'done' ? came : outcome;
  }

  async #refresh(used: Held): Promise<void> {
    const { access_token, refresh_token } = await refreshTokens({
      refresh_token: used.text,
      client_id: this.client,
    });
    used.text = refresh_token;
    if (used.access) used.access.text = access_token;
  }

  async #make(person: Person, pick: (most: number) => number): Promise<[string, string, string]> {
    const { id, account, password, credentials } = person;
    if (person.isGone) return ['nothing', '', ''];
    const kinds = ['session', 'token', 'oauth', 'confirmation'] as const;
    const kind = this.#at(kinds, pick(3));
    const add = (more: Omit<Held, 'kind'>) => credentials.push({ kind, ...more });
    const isNarrow = pick(3) === 0;
    // The login of a disabled administrator is refused, so they create nothing.
    const expected = person.isEnabled ? 'done' : 'auth.principal_disabled';
    const isFull = credentials.filter((each) => each.kind === kind && !each.isDead).length >= 12;
    if (isFull) return ['nothing', '', ''];
    const make = async () => {
      const { token } = await loginAdmin(account, password, '192.0.2.1');
      if (kind === 'session') return add({ text: token });
      const { session } = await authenticate(`Bearer ${token}`, 'admin', adminPrincipals);
      const caller = { admin: { id }, sessionEpoch: session.epoch };
      if (kind === 'confirmation') return add({ text: createConfirmToken(caller, call) });
      const epoch = await confirmPassword(id, password);
      const given = { name: 'x', scope: 'mcp:write' as const, days: 1 };
      const grants = isNarrow ? { grants: ['article:read'] } : {};
      if (kind === 'token')
        return add({ text: (await addApiToken({ id, epoch }, { ...given, ...grants })).token, isNarrow });
      const { access_token, refresh_token } = await this.#connect(id, session.epoch);
      const access: Held = { kind, text: access_token };
      return credentials.push(access, { kind: 'refresh', text: refresh_token, access });
    };
    const [came = ''] = await outcomesOf([make()]);
    return [`make ${kind}`, expected, came];
  }

  async #connect(id: string, epoch: number) {
    const { verifier, challenge } = createPkce();
    const client = { id: this.client, name: 'Desk', host: null, redirectUris: [redirectUri] };
    const request = { scopes: ['mcp:read' as const, 'mcp:write' as const], challenge };
    const code = await approveConnection({ id, epoch }, { client, redirectUri }, request);
    return exchangeCode({
      code,
      client_id: client.id,
      redirect_uri: redirectUri,
      code_verifier: verifier,
    });
  }

  /** Changes an administrator or a role, in the service and in the model. */
  async #happen(person: Person, pick: (most: number) => number): Promise<[string, string, string]> {
    const { id } = person;
    const roles = this.roles.filter(() => pick(1) === 1);
    const isSuper = pick(4) === 0;
    const keepsTokens = pick(1) === 1;
    const next = `password ${pick(1_000_000)}`;
    const role = this.#at(this.roles, pick(this.roles.length - 1));
    const status = person.isEnabled ? 'disabled' : 'enabled';
    const events: Record<string, () => Promise<unknown>> = {
      reset: async () => {
        await setAdminPassword(id, next);
        person.password = next;
        end(person);
      },
      change: async () => {
        await changeOwnPassword(id, next, person.password, keepsTokens);
        person.password = next;
        end(person, keepsTokens);
      },
      status: async () => {
        await editAdmin(id, { status });
        person.isEnabled = !person.isEnabled;
        if (!person.isEnabled) end(person);
      },
      assign: async () => {
        await setAdminRoles(id, roles, isSuper);
        assign(person, roles, isSuper);
      },
      strip: async () => {
        await setAdminRoles(id, [], false);
        assign(person, [], false);
      },
      lose: async () => {
        const fewer = person.roles.slice(1);
        await setAdminRoles(id, fewer, person.super);
        assign(person, fewer, person.super);
      },
      rename: () => editAdmin(id, { name: next }),
      grant: async () => {
        const mayWrite = !this.writers.has(role);
        const old = await getRole(role);
        await editRole(old, old.version, { grants: grantsOf(mayWrite) });
        this.writers[mayWrite ? 'add' : 'delete'](role);
      },
      delete: async () => {
        await deleteAdmin(id);
        person.isGone = true;
        end(person);
      },
      replace: async () => {
        if (person.isGone) this.people[this.people.indexOf(person)] = await this.#hire();
      },
    };
    const names = Object.keys(events).filter((name) =>
      person.isGone ? ['grant', 'replace'].includes(name) : name !== 'replace',
    );
    const name = this.#at(names, pick(names.length - 1));
    const [came = ''] = await outcomesOf([Promise.resolve(events[name]?.())]);
    return [name, 'done', came];
  }

  #at<T>(list: readonly T[], index: number): T {
    const found = list[index];
    if (found === undefined) throw new Error(`nothing is at ${index}`);
    return found;
  }
}

/** The caller as gates find it. @throws AppError `auth.principal_disabled` */
async function callerOf({ id }: Person) {
  const state = await adminPrincipals.getOne(id);
  if (state?.principal.status !== 'enabled') throw unauthorized('auth.principal_disabled');
  return { admin: state.principal, sessionEpoch: state.sessionEpoch };
}

test('a model of ten lines predicts every answer of 10,000 random steps', async () => {
  const world = new World();
  await world.prepare();
  const random = createRandom(seed);
  const pick = (most: number) => Math.floor(random() * (most + 1));

  let count = 0;
  while (count < steps) {
    const [name, expected, came] = await world.step(pick);
    if (name === 'nothing') continue;
    count += 1;
    world.seen.set(`${name}: ${came}`, (world.seen.get(`${name}: ${came}`) ?? 0) + 1);
    expect({ count, name, came }).toEqual({ count, name, came: expected });
  }

  const kinds = ['session', 'token', 'oauth'];
  expect([...world.seen.keys()]).toEqual(
    expect.arrayContaining([
      ...kinds.flatMap((kind) =>
        ['may write', 'may not write', 'auth.token_revoked', 'auth.principal_disabled'].map(
          (code) => `use ${kind}: ${code}`,
        ),
      ),
      ...['done', 'oauth.invalid_grant'].map((code) => `use refresh: ${code}`),
      ...['done', 'tool.confirm_invalid', 'auth.principal_disabled'].map(
        (code) => `use confirmation: ${code}`,
      ),
    ]),
  );
}, 500_000);
