import { lookup as resolveName } from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import { environment } from '#shared/config/environment.ts';
import { guardLookup } from './guard-lookup.ts';

/** Agents for libraries that connect by themselves. */
export interface GuardedAgents {
  http: http.Agent;
  https: https.Agent;
}

let current: GuardedAgents | undefined;

/**
 * Kept-alive agents that connect to what a name resolves to only where it is public, unless private endpoints
 * are allowed. Addresses written in the URL itself are not resolved: judge those by `parseTarget`.
 */
export function guardedAgents(): GuardedAgents {
  if (current) return current;
  const lookup = environment().allowPrivateEndpoints ? resolveName : guardLookup(resolveName);
  const options = { keepAlive: true, lookup };
  current = { http: new http.Agent(options), https: new https.Agent(options) };
  return current;
}
