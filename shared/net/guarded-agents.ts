import { lookup as resolveName } from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { environment } from '#shared/config/environment.ts';
import { guardLookup } from './guard-lookup.ts';

/** What may be reached, and how names are resolved. */
export interface OutboundPolicy {
  /** Whether hosts on private networks may be reached. */
  allowPrivate: boolean;
  /** Resolves names. @default `dns.lookup` */
  lookup?: LookupFunction;
}

interface Agents {
  http: http.Agent;
  https: https.Agent;
}

/** Agents that keep connections alive. */
export interface GuardedAgents extends Agents {
  /** Whether addresses that are not public may stand in a URL: those are not resolved. */
  allowPrivate: boolean;
  /** Agents that connect anew for each request. */
  fresh: Agents;
}

/** Agents that connect to what a name resolves to only where the policy allows it. */
export function createGuardedAgents({ allowPrivate, lookup = resolveName }: OutboundPolicy): GuardedAgents {
  const checkedLookup = allowPrivate ? lookup : guardLookup(lookup);
  const create = (keepAlive: boolean): Agents => {
    const options = { keepAlive, lookup: checkedLookup };
    return { http: new http.Agent(options), https: new https.Agent(options) };
  };
  return { ...create(true), allowPrivate, fresh: create(false) };
}

let current: GuardedAgents | undefined;

/** The agents of this process, by the environment's policy. */
export function guardedAgents(): GuardedAgents {
  current ??= createGuardedAgents({ allowPrivate: environment().allowPrivateEndpoints });
  return current;
}
