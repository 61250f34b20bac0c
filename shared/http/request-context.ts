import type middy from '@middy/core';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import type * as z from 'zod/mini';
import type { ErrorDetail } from '#shared/errors/app-error.ts';
import type { ErrorCode } from '#shared/errors/catalogue.ts';
import type { Locale } from '#shared/i18n/locale.ts';
import type { Translate } from '#shared/i18n/messages.ts';

/** `refused`: the token is not valid. `failed`: no token was sent, or a store cannot be reached. */
export type LoginOutcome = 'accepted' | 'refused' | 'failed';

/** One request on its way through the chain; each step adds to it what later steps need. */
export interface RequestContext {
  event: APIGatewayProxyEventV2;
  /** The invocation's `awsRequestId`. */
  requestId: string;
  startedAt: number;
  /** Milliseconds until the function is stopped. */
  remainingMs(): number;
  /** The client's address as the gateway saw it; no header is read. */
  address: string;
  locale: Locale;
  t: Translate;
  /** The validated query; undefined while `issues` is not empty. */
  query: unknown;
  body: unknown;
  /** What is wrong with query and body; thrown after the gates. */
  issues: ErrorDetail[];
  /** Why a body that is read before the gates was refused; thrown after them. */
  bodyRefusal: unknown;
  /** Whether the request counts on the route's throttles. */
  isThrottled(): boolean;
  /** How the login gate decided about the token; undefined for a route without one. */
  login?: Promise<LoginOutcome>;
  /** Gives back what throttles have counted if the handler refuses with a code that is exempt. */
  releaseThrottle?(code: string): Promise<void>;
  /** What the gates add to the handler's context. */
  caller: Record<string, unknown>;
  prefetched: unknown;
  /** Headers of the answer, for any status; names in lower case. */
  headers: Record<string, string>;
}

/** Fields of a body that was parsed before the gates, not yet validated; none for any other body. */
export function sentFields({ body }: Pick<RequestContext, 'body'>): Record<string, unknown> {
  return typeof body === 'object' && body !== null ? { ...body } : {};
}

/**
 * Refuses a request by throwing or rejecting, or lets it pass and returns what it adds to the handler's context.
 * All gates of a route start in one tick, so that their reads leave together: a gate issues its reads before its
 * first await. What it can refuse without a read it refuses by throwing at once, which saves the route's prefetch.
 */
export type Gate<Added = unknown> = (context: RequestContext) => Promise<Added>;

/** A middleware of the chain. The first step fills `internal.context`. */
export type Step = middy.MiddlewareObj<
  APIGatewayProxyEventV2,
  unknown,
  Error,
  Context,
  { context: RequestContext }
>;

/** Reads a body; a route names its parser if it does not take JSON. */
export interface BodyParser {
  /** The media type that it takes, as named in `request.unsupported_media_type` and the API reference. */
  contentType: string;
  /** Largest body that it takes, in bytes. @default the limit of the route's kind */
  limitBytes?: number;
  /** Codes that it refuses with. */
  refusals: readonly ErrorCode[];
  /** The steps that put the parsed body into the request context. @param body the route's schema */
  steps(body: z.core.$ZodType): readonly Step[];
}
