import { expect } from '@jest/globals';
import type { Access, TestAdmin, TestAdminOptions } from '../support/access.ts';
import type { Answer, Client } from '../support/client.ts';
import { type Authenticator, type Claims, createAuthenticator } from '../support/software-authenticator.ts';
import { createGuard, factorPath, secondPath } from './second-factor-fixture.ts';

/** An administrator with a passkey, and no authenticator app. */
export interface Keyed extends TestAdmin {
  key: Authenticator;
  codes: string[];
}

/** What tests of passkeys do all the time. */
export function createKeyring(access: Access) {
  const { client, addAdmin } = access;
  const { enter } = createGuard(access);

  /** The challenge of who is logged in, signed. */
  async function prove(as: Client, key: Authenticator, claims?: Claims) {
    const { data } = await as.get(`${factorPath}/challenge`);
    return { challenge: data.challenge, passkey: key.get(data.passkey, claims) };
  }

  const begin = (as: Client, password: string, proof = {}): Promise<Answer> =>
    as.post(`${factorPath}/begin`, { password, method: 'passkey', ...proof });

  /** Adds a passkey. @param proof of the factor, if there is one */
  async function add(as: Client, password: string, key: Authenticator, proof = {}): Promise<Answer> {
    const { data } = await begin(as, password, proof);
    return as.post(`${factorPath}/confirm`, { setup: data.setup, passkey: key.create(data.passkey) });
  }

  return {
    add,
    begin,
    prove,
    /** Adds an administrator with one passkey. */
    async addKeyed(options: TestAdminOptions = {}): Promise<Keyed> {
      const added = await addAdmin(options);
      const key = createAuthenticator();
      const answer = await add(added.client, added.password, key);
      expect(answer).toMatchObject({ status: 200 });
      return { ...added, key, codes: answer.data.codes };
    },
    /** The challenge of a login with the right password, and its options. */
    open: async (person: Pick<TestAdmin, 'account' | 'password'>) => (await enter(person)).data,
    /** The second step of a login. */
    second: (challenge: string, passkey: unknown): Promise<Answer> =>
      client.post(secondPath, { challenge, passkey }),
  };
}
