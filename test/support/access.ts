import { beforeAll, expect } from '@jest/globals';
import { administrator } from './administrator.ts';
import type { Client } from './client.ts';

/** An administrator that a test has added, logged in. */
export interface TestAdmin {
  id: string;
  account: string;
  password: string;
  client: Client;
  token: string;
}

export interface TestAdminOptions {
  account?: string;
  password?: string;
  /** Grants of a role of its own. @default none */
  grants?: readonly string[];
  /** IDs of roles. */
  roles?: readonly string[];
  super?: boolean;
}

/** Clients of a service, and what tests do with it all the time. */
export interface Access {
  /** Has no login. */
  client: Client;
  /** The administrator that the service is installed with. */
  admin: Client;
  logIn(account: string, password?: string): Promise<Client>;
  /** Logs that administrator in, once more if its login has ended. */
  logInAgain(): Promise<void>;
  addRole(...grants: string[]): Promise<string>;
  addAdmin(options?: TestAdminOptions): Promise<TestAdmin>;
  saveSettings(group: string, values: object): Promise<void>;
}

const system = '/adminapi/system';
const defaultPassword = 'a long password';

/** Logs an administrator in. @default the one that the service is installed with */
export async function logIn(
  client: Client,
  credentials: { account: string; password: string } = administrator,
): Promise<Client> {
  const { data } = await client.post(`${system}/login/account`, credentials);
  return client.as(data.token);
}

/** Access to a service, in the test that has started it. The administrator is not logged in yet. */
export function createAccess(client: Client): Access {
  let token = '';
  let added = 0;
  const admin = client.as(() => token);

  /** Changes something that must succeed. @returns the data of the answer */
  async function change(path: string, body: object) {
    const answer = await admin.post(`${system}/${path}`, body);
    expect(answer).toMatchObject({ status: 200 });
    return answer.data;
  }
  const logInAgain = async () => {
    ({ token } = await logIn(client));
  };
  const addRole = async (...grants: string[]): Promise<string> =>
    (await change('role/add', { name: grants.join().slice(0, 50), grants })).id;

  return {
    client,
    admin,
    logIn: (account, password = defaultPassword) => logIn(client, { account, password }),
    logInAgain,
    addRole,
    async addAdmin(options = {}) {
      added += 1;
      const { account = `admin-${process.pid}-${added}`, password = defaultPassword } = options;
      const ownRoles = options.grants ? [await addRole(...options.grants)] : [];
      const role_ids = [...ownRoles, ...(options.roles ?? [])];
      const person = { account, name: account, password, role_ids, super: options.super };
      const { id } = await change('admin/add', person);
      const own = await logIn(client, { account, password });
      return { id, account, password, client: own, token: own.token };
    },
    async saveSettings(group, values) {
      await change('setting/config/save', { group, values });
    },
  };
}

/** @param hasLogin whether the administrator logs in before the tests */
export function useAccess(client: Client, hasLogin = () => true): Access {
  const access = createAccess(client);
  beforeAll(async () => {
    if (hasLogin()) await access.logInAgain();
  });
  return access;
}
