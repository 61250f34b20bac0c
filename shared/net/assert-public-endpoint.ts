import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { environment } from '#shared/config/environment.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { guardLookup } from './guard-lookup.ts';
import { OutboundError } from './outbound-error.ts';
import { parseTarget, toAddress } from './parse-target.ts';

export interface EndpointPolicy {
  /** Whether private addresses pass. @default `environment().allowPrivateEndpoints` */
  allowPrivate?: boolean;
  /** Resolves names. @default `dns.lookup` */
  lookup?: LookupFunction;
}

/**
 * Checks an endpoint that an operator is about to save. What connects to it later checks again, since names
 * change; this is for the operator's eyes and for libraries that connect by themselves.
 *
 * @throws AppError `config.endpoint_denied` for what is not an http or https URL without credentials, for
 * addresses that are not public, for names that resolve to such, and for names that do not resolve: those
 * cannot be shown to be public. Where private endpoints are allowed only the URL's form is checked.
 */
export async function assertPublicEndpoint(url: string, policy: EndpointPolicy = {}): Promise<void> {
  const { allowPrivate = environment().allowPrivateEndpoints } = policy;
  try {
    const target = parseTarget(url, allowPrivate);
    if (allowPrivate || toAddress(target) !== undefined) return;
    await resolvePublic(target.hostname, guardLookup(policy.lookup ?? lookup));
  } catch (cause) {
    throw new AppError('config.endpoint_denied', { cause });
  }
}

function resolvePublic(hostname: string, resolve: LookupFunction): Promise<void> {
  return new Promise((succeed, fail) => {
    resolve(hostname, { all: true }, (error) => {
      if (!error) succeed();
      else if (error instanceof OutboundError) fail(error);
      else fail(new OutboundError('unreachable', `${hostname} does not resolve (${error.code})`));
    });
  });
}
