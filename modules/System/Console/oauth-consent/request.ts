import { call } from '#console/src/api.ts';
import type { AuthorizeParameters } from './consent.ts';

/** What the service has verified of a request for access. */
export interface ConsentRequest {
  /** `host` has published the client; null for a client that is registered here. */
  client: { id: string; name: string; host: string | null };
  redirect_host: string;
  is_loopback: boolean;
  scopes: string[];
}

const path = '/adminapi/system/oauth';

export const readRequest = (parameters: AuthorizeParameters): Promise<ConsentRequest> =>
  call('GET', `${path}/request`, { ...parameters });

export const answerRequest = (
  parameters: AuthorizeParameters,
  approved: boolean,
): Promise<{ redirect: string }> => call('POST', `${path}/approve`, { ...parameters, approved });
