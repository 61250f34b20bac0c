import { expect } from '@jest/globals';
import { type OpenIdProvider, startOpenIdProvider } from '../doubles/openid/open-id-provider.ts';
import { type Callback, visitProvider } from '../doubles/openid/visit-provider.ts';
import type { Access } from '../support/access.ts';
import type { Answer, Client } from '../support/client.ts';
import { useRunning } from '../support/use-running.ts';

export const login = '/adminapi/system/login';
const redirectUri = 'http://localhost:3000/console/sso';

/** A provider of the test file. */
export const useProvider = (): OpenIdProvider => useRunning(() => startOpenIdProvider(redirectUri));

/** What tests of single sign-on do all the time. */
export function createSso({ client, saveSettings }: Access, provider: OpenIdProvider) {
  const begin = async (purpose = 'login'): Promise<{ url: string; flow: string }> => {
    const answer = await client.post(`${login}/ssoStart`, { purpose });
    expect(answer).toMatchObject({ status: 200 });
    return answer.data;
  };
  const finish = (flow: string, callback: Callback): Promise<Answer> =>
    client.post(`${login}/sso`, { flow, ...callback });
  /** Begins a login, and visits the provider. */
  const visit = async (name: string, purpose = 'login') => {
    const { url, flow } = await begin(purpose);
    return { flow, callback: await visitProvider(url, name) };
  };
  return {
    begin,
    finish,
    visit,
    setUp: (values: object = {}) =>
      saveSettings('oidc', { issuer: provider.issuer, ...provider.client, create: '', ...values }),
    /** A whole login. */
    async enter(name: string): Promise<Answer> {
      const { flow, callback } = await visit(name);
      return finish(flow, callback);
    },
    /** Binds an account of the provider to an administrator. */
    async bind(as: Client, password: string, name: string): Promise<Answer> {
      const begun = await as.post('/adminapi/system/admin/sso/begin', { password });
      if (begun.status !== 200) return begun;
      const callback = await visitProvider(begun.data.url, name);
      return as.post('/adminapi/system/admin/sso/bind', { flow: begun.data.flow, ...callback });
    },
  };
}
