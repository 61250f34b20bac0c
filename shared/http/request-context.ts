import type middy from '@middy/core';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import type * as z from 'zod/mini';
import type { Recording } from '#shared/audit/recording.ts';
import type { AdminCaller } from '#shared/auth/principal.ts';
import type { ErrorDetail } from '#shared/errors/app-error.ts';
import type { ErrorCode } from '#shared/errors/catalogue.ts';
import type { Locale } from '#shared/i18n/locale.ts';
import type { LoadTexts } from '#shared/i18n/texts.ts';

/** `refused`: the token is not valid. `failed`: no token was sent, or a store cannot be reached. */
export type LoginOutcome = 'accepted' | 'refused' | 'failed';

/** The state of one request; each step adds what later steps need. */
export interface RequestContext {
  event: APIGatewayProxyEventV2;
  /** The invocation's `awsRequestId`. */
  requestId: string;
  startedAt: number;
  /** Milliseconds until the function is stopped. */
  remainingMs(): number;
  /** The client's address from the gateway; no header is read. */
  address: string;
  locale: Locale;
  /** Loads the texts of failures in this locale. */
  texts: LoadTexts;
  /** Sets the language of the answer, for a request that names none. */
  preferLocale(locale: Locale): void;
  /** The validated query; undefined while `issues` is not empty. */
  query?: unknown;
  body?: unknown;
  /** Issues of query and body; thrown after the gates. */
  issues: ErrorDetail[];
  /** The error of a body that cannot be read; thrown after the gates. */
  bodyRefusal?: unknown;
  /** Whether the route asks for a second factor that was given lately. */
  needsRecentFactor: boolean;
  /** Whether the request counts on the route's throttles. */
  isThrottled(): boolean;
  /** How the login gate decided about the token; undefined for a route without one. */
  login?: Promise<LoginOutcome>;
  /** Work that runs beside the handler, and has to end before the answer. Never rejects. */
  beside?: Promise<void>;
  /**
   * Removes the request from rules of throttles that do not count this outcome. Never throws.
   *
   * @param code error code of the handler; undefined for a success
   */
  releaseThrottle?(code?: string): Promise<void>;
  /** Whether a throttle's rule with `failures` is full: the handler must ask for a captcha. */
  isUnderPressure: boolean;
  /** What `readCredential` of the route has found. */
  credential?: string | undefined;
  /** Who calls, for the logs; set once, by the login gate, also if the permission is then refused. */
  principal?: { id: string; admin?: AdminCaller; tokenId?: string | undefined; client?: string | undefined };
  /** What the gates add to the handler's context; set once, after all of them have passed the request. */
  added?: object;
  prefetched?: unknown;
  /** The record of a request that passed the gates, for the audit log. */
  recording?: Recording;
  /** Headers of the answer, for any status; names in lower case. */
  headers: Record<string, string>;
}

/** Fields of a body that was parsed before the gates, not validated; empty for any other body. */
export function sentFields({ body }: Pick<RequestContext, 'body'>): Record<string, unknown> {
  return typeof body === 'object' && body !== null ? { ...body } : {};
}

/**
 * Returns what it adds to the handler's context, or throws or rejects to refuse a request. It must issue its reads
 * before its first await: those of all gates leave together. A synchronous throw saves the route's prefetch.
 */
export type Gate<Added = unknown> = (context: RequestContext) => Promise<Added>;

/** The Lambda context with the request. middy passes it to each step and to the base handler. */
export interface Invocation extends Context {
  request: RequestContext;
}

/** A middy middleware. */
export type Step = middy.MiddlewareObj<APIGatewayProxyEventV2, unknown, Error, Invocation>;

/** Reads a body; a route sets its parser if the body is not JSON. */
export interface BodyParser {
  /** Its media type, for `request.unsupported_media_type` and the API reference. */
  contentType: string;
  /** Largest body, in bytes. @default the limit of the route's kind */
  limitBytes?: number;
  /** Its error codes. */
  refusals: readonly ErrorCode[];
  /** Returns the parsed body, or throws. @param body the route's schema */
  read(request: Parameters<NonNullable<Step['before']>>[0], body: z.core.$ZodType): unknown;
}
