import { expect } from '@jest/globals';
import { TOTP } from 'otpauth';
import type { Access, TestAdmin, TestAdminOptions } from '../support/access.ts';
import type { Answer, Client } from '../support/client.ts';

export const loginBase = '/adminapi/system/login';
export const loginPath = `${loginBase}/account`;
export const secondPath = `${loginBase}/second`;
export const factorPath = '/adminapi/system/admin/factor';
export const stepMs = 30_000;

/** An administrator with a second factor. */
export interface Guarded extends TestAdmin {
  secret: string;
  codes: string[];
  /** The code of a moment. @param steps from now */
  codeAt(steps?: number): string;
}

type Credentials = Pick<TestAdmin, 'account' | 'password'>;

/** Makes codes as an authenticator app does. */
export const createApp = (secret: string) => {
  const totp = new TOTP({ secret });
  return (steps = 0) => totp.generate({ timestamp: Date.now() + steps * stepMs });
};

/** What tests of the second factor do all the time. */
export function createGuard({ client, addAdmin, saveSettings }: Access) {
  const begin = async (as: Client, password: string, code?: string) =>
    (await as.post(`${factorPath}/begin`, { password, code })).data;

  async function setUp(as: Client, password: string): Promise<{ secret: string; codes: string[] }> {
    const { secret, setup } = await begin(as, password);
    const answer = await as.post(`${factorPath}/confirm`, { setup, code: createApp(secret)(-1) });
    expect(answer).toMatchObject({ status: 200 });
    return { secret, codes: answer.data.codes };
  }

  /** Logs in by the password. */
  const enter = ({ account, password }: Credentials): Promise<Answer> =>
    client.post(loginPath, { account, password });

  return {
    begin,
    enter,
    setUp,
    setMode: (two_factor: string) => saveSettings('login', { two_factor }),
    /** Adds an administrator whose factor was set up with the code of the step before. */
    async addGuarded(options: TestAdminOptions = {}): Promise<Guarded> {
      const added = await addAdmin(options);
      const { secret, codes } = await setUp(added.client, added.password);
      return { ...added, secret, codes, codeAt: createApp(secret) };
    },
    /** The challenge of a login with the right password. */
    challenge: async (person: Credentials): Promise<string> => (await enter(person)).data.challenge,
    second: (challenge: string, code: string): Promise<Answer> =>
      client.post(secondPath, { challenge, code }),
  };
}
