import { expect } from '@jest/globals';
import * as z from 'zod/mini';
import { readParameters } from '#modules/System/Console/oauth-consent/consent.ts';
import { type Client, createClient } from '../../support/client.ts';

/** An administrator who answers the consent page. */
export interface Operator {
  /**
   * Opens what a client asks to open, and agrees, as the consent page does.
   *
   * @param narrow the scopes to give. @default those that were asked for
   * @returns where the browser goes
   */
  approve(authorizeUrl: URL | string, narrow?: string): Promise<URL>;
  decline(authorizeUrl: URL | string): Promise<URL>;
}

const answered = z.object({ redirect: z.url() });

/** @param url of the service, as its `PUBLIC_URL` */
export function createOperator(url: string, client: Client = createClient(url)): Operator {
  let token: string | undefined;

  async function answer(authorizeUrl: URL | string, approved: boolean, narrow?: string): Promise<URL> {
    const page = await fetch(authorizeUrl, { redirect: 'manual' });
    const location = new URL(page.headers.get('location') ?? 'none:', url);
    expect([page.status, location.origin + location.pathname]).toEqual([302, `${url}/console/oauth/consent`]);
    token ??= await client.login();
    const asked = await client.get(`/adminapi/system/oauth/request${location.search}`, { token });
    expect(asked).toMatchObject({ code: 'ok', errors: [] });
    const body = { ...readParameters(location.search), ...(narrow && { scope: narrow }), approved };
    const { data } = await client.post('/adminapi/system/oauth/approve', body, { token });
    return new URL(z.parse(answered, data).redirect);
  }

  return {
    approve: (authorizeUrl, narrow) => answer(authorizeUrl, true, narrow),
    decline: (authorizeUrl) => answer(authorizeUrl, false),
  };
}
