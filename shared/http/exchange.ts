import type middy from '@middy/core';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { ErrorDetail } from '#shared/errors/app-error.ts';
import type { ErrorCode } from '#shared/errors/catalogue.ts';
import type { Locale } from '#shared/i18n/locale.ts';
import type { Translate } from '#shared/i18n/messages.ts';
import type { ModuleManifest } from '#shared/module/module.ts';
import type { ToolRegistry } from '#shared/tools/registry.ts';
import type { ApiDocuments } from './reference.ts';
import type { Route } from './route.ts';

/** What a deployed function knows of its route besides the route itself; written by the generator. */
export interface EndpointOptions {
  /** Name of the function, for logs. */
  name: string;
  /** What stands before the handler, in the order in which refusals take precedence. */
  gates: readonly Gate[];
  /** Manifests of the enabled modules, for a route that asks for them. */
  modules?: readonly ModuleManifest[];
  /** Tools of the enabled modules, for a route that asks for them. */
  tools?: ToolRegistry;
  /** What describes the API, for a route that asks for it. */
  documents?: ApiDocuments;
}

/** `refused`: the token that was sent is not good. `failed`: no token was sent, or a store is away. */
export type LoginOutcome = 'accepted' | 'refused' | 'failed';

/** One request on its way through the chain. */
export interface Exchange {
  event: APIGatewayProxyEventV2;
  route: Route;
  name: string;
  startedAt: number;
  /** Milliseconds until the function is stopped. */
  remainingMs(): number;
  requestId: string;
  /** The client's address as the gateway saw it; no header is asked. */
  address: string;
  locale: Locale;
  t: Translate;
  /** The validated query; meaningless while `issues` is not empty. */
  query: unknown;
  body: unknown;
  /** What did not fit, gathered from query and body; thrown after the gates. */
  issues: ErrorDetail[];
  /** How the login gate decided about the token; undefined for a route without one. */
  login?: Promise<LoginOutcome>;
  /** Gives back what throttles have counted if the handler refuses with a code that is exempt. */
  releaseThrottle?(code: ErrorCode): Promise<void>;
  /** What the gates found out about the caller, given to the handler. */
  caller: Record<string, unknown>;
  prefetched: unknown;
  /** Why the body was refused, if it was read before the gates; thrown after them. */
  refusal: unknown;
  /** Headers of the answer, whatever it will be; names in lower case. */
  headers: Record<string, string>;
}

/** Fields of a body that was parsed before the gates, not yet validated; none for any other body. */
export function sentFields({ body }: Pick<Exchange, 'body'>): Record<string, unknown> {
  return typeof body === 'object' && body !== null ? { ...body } : {};
}

/**
 * Refuses a request by throwing or rejecting, or lets it pass. All gates of a route begin in one tick, so
 * that their reads leave together; a gate must issue its reads before its first await. What it can refuse
 * without a read it refuses by throwing at once, which spares the route's prefetch.
 */
export type Gate = (exchange: Exchange) => Promise<void>;

/** A middleware of the chain; what travels through it is the exchange of its event. */
export type Step = middy.MiddlewareObj<APIGatewayProxyEventV2, unknown>;

const exchanges = new WeakMap<object, Exchange>();

/** Ties an exchange to the event that middy hands from step to step. */
export function setExchange(exchange: Exchange): void {
  exchanges.set(exchange.event, exchange);
}

/** The exchange of a request; it exists from the first step on. */
export function exchangeOf({ event }: { event: object }): Exchange {
  const exchange = exchanges.get(event);
  if (!exchange) throw new Error('the context step has not run');
  return exchange;
}
