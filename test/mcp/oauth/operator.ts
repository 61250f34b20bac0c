import { expect } from '@jest/globals';
import { readParameters } from '#modules/System/Console/oauth-consent/consent.ts';
import type { Client } from '../../support/client.ts';
import type { RunningServer } from '../../support/local-server.ts';

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

/** The address of a local server that its answers name. */
export const siteOf = ({ url }: RunningServer): string => url.replace('127.0.0.1', 'localhost');

export function createOperator(server: RunningServer, admin: Client): Operator {
  async function answer(authorizeUrl: URL | string, approved: boolean, narrow?: string): Promise<URL> {
    const url = siteOf(server);
    const page = await fetch(authorizeUrl, { redirect: 'manual' });
    const location = new URL(page.headers.get('location') ?? 'none:', url);
    expect([page.status, location.origin + location.pathname]).toEqual([302, `${url}/console/oauth/consent`]);
    const asked = await admin.get(`/adminapi/system/oauth/request${location.search}`);
    expect(asked).toMatchObject({ code: 'ok', errors: [] });
    const body = { ...readParameters(location.search), ...(narrow && { scope: narrow }), approved };
    const { data } = await admin.post('/adminapi/system/oauth/approve', body);
    return new URL(data.redirect);
  }

  return {
    approve: (authorizeUrl, narrow) => answer(authorizeUrl, true, narrow),
    decline: (authorizeUrl) => answer(authorizeUrl, false),
  };
}
