import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type * as z from 'zod/mini';
import type { AdminPrincipal, UserPrincipal } from '#shared/auth/principal.ts';
import type { Locale } from './locale.ts';
import type { Translate } from './messages.ts';

/** Where a route lives: `Admin/` → `/adminapi/…`, `Api/` → `/api/…`, `Web/` → fixed paths without a prefix. */
export type Area = 'admin' | 'api' | 'web';
export type Method = 'GET' | 'POST';
export type Schema = z.core.$ZodType;

/** What every handler is given, whoever calls. */
export interface BaseContext<Query, Body, Prefetched> {
  query: Query;
  body: Body;
  /** What the route's `prefetch` read; undefined where the route has none. */
  prefetched: Prefetched;
  locale: Locale;
  t: Translate;
  request: RequestInfo;
}

export interface RequestInfo {
  /** The invocation's `awsRequestId`. */
  id: string;
  /** The client's address as the gateway saw it. */
  address: string;
  event: APIGatewayProxyEventV2;
}

/** The caller of a route that requires an administrator. */
export interface AdminCaller {
  adminId: string;
  admin: AdminPrincipal;
  sessionId: string;
}

/** The caller of a route that requires a user. */
export interface UserCaller {
  userId: string;
  user: UserPrincipal;
  sessionId: string;
}

/** What a route declares; its file's path gives it its URL. */
export interface RouteOptions<Q extends Schema, B extends Schema, D extends Schema, Caller, Prefetched> {
  /** One line for the API reference. */
  summary: Record<Locale, string>;
  /** Query parameters; unknown ones are ignored. */
  query?: Q;
  /** Body of a POST, a strict object; unknown fields are refused. */
  body?: B;
  /** What the envelope carries under `data`. */
  data: D;
  /** Answers with a weak ETag over data and locale and takes `If-None-Match`. */
  conditional?: { cacheControl: string };
  limits?: { timeoutSeconds?: number; memoryMb?: number };
  /**
   * The cached read that the handler will need, issued in the tick of the gates' reads so that it rides in
   * the same request. Its result reaches the handler only after every gate has passed.
   */
  prefetch?(query: z.output<Q>): Promise<Prefetched>;
  handler(context: BaseContext<z.output<Q>, z.output<B>, Prefetched> & Caller): Promise<z.input<D>>;
}

/** A route as the generator and the chain see it. */
export interface Route {
  area: Area;
  /** `required`: the area's login; `open`: none. */
  access: 'required' | 'open';
  method: Method;
  summary: Record<Locale, string>;
  query?: Schema;
  body?: Schema;
  data: Schema;
  conditional?: { cacheControl: string };
  limits?: { timeoutSeconds?: number; memoryMb?: number };
  prefetch?(query: unknown): Promise<unknown>;
  handler(context: unknown): Promise<unknown>;
}

type Builder<Caller> = <
  D extends Schema,
  Q extends Schema = z.ZodMiniUndefined,
  B extends Schema = z.ZodMiniUndefined,
  Prefetched = undefined,
>(
  options: RouteOptions<Q, B, D, Caller, Prefetched>,
) => Route;

type NoCaller = unknown;

function createBuilder<Caller>(area: Area, access: Route['access'], method: Method): Builder<Caller> {
  // The chain gives a handler what its own options describe; the types of both sides meet only here.
  return (options) => ({ ...(options as unknown as Route), area, access, method });
}

/** Routes of `Admin/`: an administrator's login is required but on open ones. */
export const admin = {
  get: createBuilder<AdminCaller>('admin', 'required', 'GET'),
  post: createBuilder<AdminCaller>('admin', 'required', 'POST'),
  openGet: createBuilder<NoCaller>('admin', 'open', 'GET'),
  openPost: createBuilder<NoCaller>('admin', 'open', 'POST'),
};

/** Routes of `Api/`: a user's login is required but on open ones. */
export const api = {
  get: createBuilder<UserCaller>('api', 'required', 'GET'),
  post: createBuilder<UserCaller>('api', 'required', 'POST'),
  openGet: createBuilder<NoCaller>('api', 'open', 'GET'),
  openPost: createBuilder<NoCaller>('api', 'open', 'POST'),
};

/** Routes of `Web/`: open, without gates. */
export const web = {
  get: createBuilder<NoCaller>('web', 'open', 'GET'),
};
