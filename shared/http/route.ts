import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type * as z from 'zod/mini';
import type { McpPrincipal } from '#shared/auth/authenticate-mcp.ts';
import type { AdminPrincipal, UserPrincipal } from '#shared/auth/principal.ts';
import type { ThrottleName } from '#shared/config/throttles.ts';
import type { ErrorCode } from '#shared/errors/catalogue.ts';
import type { Locale } from '#shared/i18n/locale.ts';
import type { Translate } from '#shared/i18n/messages.ts';
import type { ModuleManifest } from '#shared/module/module.ts';
import type { LocalisedText } from '#shared/schema/localised-text.ts';
import type { ToolRegistry } from '#shared/tools/registry.ts';
import type { BodyParser } from './body/body-parser.ts';
import type { ApiDocuments, RouteReference } from './reference.ts';

/** Where a route lives: `Admin/` → `/adminapi/…`, `Api/` → `/api/…`, `Web/` → fixed paths without a prefix. */
export type Area = 'admin' | 'api' | 'web';
export type Method = 'GET' | 'POST';
export type Schema = z.core.$ZodType;
/** Names of the middleware that a route may add to its area's own. */
export type MiddlewareName = typeof tryAuth | typeof mcpAuth | `throttle:${ThrottleName}`;

/** What every handler is given, whoever calls. */
export interface BaseContext<Query, Body, Prefetched> {
  query: Query;
  body: Body;
  /** What the route's `prefetch` read; undefined where the route has none. */
  prefetched: Prefetched;
  locale: Locale;
  t: Translate;
  request: RequestInfo;
  /** Manifests of the enabled modules, for a route that says `modules: true`. */
  modules: readonly ModuleManifest[];
  /** Tools of the enabled modules, for a route that says `tools: true`. */
  tools: ToolRegistry;
  /** What describes the API, for a route that says `documents: true`. */
  documents: ApiDocuments;
}

export interface RequestInfo {
  /** The invocation's `awsRequestId`. */
  id: string;
  /** The client's address as the gateway saw it. */
  address: string;
  event: APIGatewayProxyEventV2;
  /** Milliseconds until the function is stopped. */
  remainingMs(): number;
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

/** The caller of an open route under `api.try-auth`; all null for a guest. */
export type OptionalCaller = UserCaller | { userId: null; user: null; sessionId: null };

/** The caller of an open route under `mcp.auth`: an administrator's login, or an API token. */
export type McpCaller = McpPrincipal;

/** What a route declares; its file's path gives it its URL. */
export interface RouteOptions<Q extends Schema, B extends Schema, D extends Schema, Caller, Prefetched> {
  /** One line for the API reference. */
  summary: LocalisedText;
  /** Query parameters; unknown ones are ignored. */
  query?: Q;
  /** Body of a POST, a strict object; unknown fields are refused. */
  body?: B;
  /** Reads the body. @default JSON */
  parser?: BodyParser;
  /** Largest body, in bytes. @default 64 KiB on open routes, 1 MiB behind a login (`bodyLimitOf`) */
  bodyLimitBytes?: number;
  /** What the envelope carries under `data`. */
  data: D;
  /** Added to the middleware of the area. */
  middleware?: readonly MiddlewareName[];
  /** Whether a request counts on the route's throttles. @default every one does */
  isThrottled?(event: APIGatewayProxyEventV2): boolean;
  /** Gives the handler the manifests of all modules; its function is then deployed with any of them. */
  modules?: boolean;
  /** Gives the handler the tools of all modules; its function is then deployed with any of them. */
  tools?: boolean;
  /** Gives the handler the OpenAPI documents; its function is then deployed with any module. */
  documents?: boolean;
  /**
   * Codes that `prefetch` and handler refuse or fail with, for the API reference; those of gates, parser and
   * schemas, and of a database that is away, are known.
   */
  errors?: readonly ErrorCode[];
  /** What else the API reference tells. */
  reference?: RouteReference;
  /** Answers with a weak ETag over data and locale and takes `If-None-Match`. */
  conditional?: { cacheControl: string };
  /** Answers HEAD too; the handler leaves the body out then. */
  head?: boolean;
  /** Gives the deployed function the disk of the storage engine `local`, where there is one. */
  storage?: boolean;
  /** Of the deployed function. `concurrency`: requests at the same time; more are 503 by the gateway. */
  limits?: { timeoutSeconds?: number; memoryMb?: number; concurrency?: number };
  /**
   * What the handler will read, issued in the tick of the gates' reads: what is cached rides in the same
   * request, what is in the database is read meanwhile. The result reaches the handler only after every gate
   * has passed; what a gate refuses without a read is not read for. A page or a few records, no more: who has
   * been locked out can still cause it (decision 0012).
   *
   * @param sent fields of the body, not validated; empty unless a throttle of the route counts by the body
   */
  prefetch?(query: z.output<Q>, sent: Record<string, unknown>): Promise<Prefetched>;
  handler(context: BaseContext<z.output<Q>, z.output<B>, Prefetched> & Caller): Promise<z.input<D>>;
}

/** A route as the generator and the chain see it. */
export interface Route {
  area: Area;
  /** `required`: the area's login; `open`: none, or that of `api.try-auth` or `mcp.auth`. */
  access: 'required' | 'open';
  method: Method;
  summary: LocalisedText;
  query?: Schema;
  body?: Schema;
  parser?: BodyParser;
  bodyLimitBytes?: number;
  data: Schema;
  middleware: readonly MiddlewareName[];
  isThrottled?(event: APIGatewayProxyEventV2): boolean;
  modules?: boolean;
  tools?: boolean;
  documents?: boolean;
  errors?: readonly ErrorCode[];
  reference?: RouteReference;
  conditional?: { cacheControl: string };
  head?: boolean;
  storage?: boolean;
  limits?: { timeoutSeconds?: number; memoryMb?: number; concurrency?: number };
  prefetch?(query: unknown, sent: Record<string, unknown>): Promise<unknown>;
  handler(context: unknown): Promise<unknown>;
}

/** Whether only callers who are logged in reach the handler. */
export const requiresLogin = ({ access, middleware }: Route): boolean =>
  access === 'required' || middleware.includes(mcpAuth);

const throttlePrefix = 'throttle:';

/** Names of a route's throttles. */
export function listThrottles({ middleware }: Pick<Route, 'middleware'>): ThrottleName[] {
  return middleware
    .filter((name) => name.startsWith(throttlePrefix))
    .map((name) => name.slice(throttlePrefix.length) as ThrottleName);
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
  return (options) => {
    const { middleware = [] } = options;
    return { ...(options as unknown as Route), middleware, area, access, method };
  };
}

/** Routes of `Admin/`: an administrator's login is required but on open ones. */
export const admin = {
  get: createBuilder<AdminCaller>('admin', 'required', 'GET'),
  post: createBuilder<AdminCaller>('admin', 'required', 'POST'),
  openGet: createBuilder<NoCaller>('admin', 'open', 'GET'),
  openPost: createBuilder<NoCaller>('admin', 'open', 'POST'),
};

const tryAuth = 'api.try-auth';

/** Adds `api.try-auth` to what an open route declares. */
function withOptionalLogin(builder: Builder<OptionalCaller>): Builder<OptionalCaller> {
  return (options) => builder({ ...options, middleware: [...(options.middleware ?? []), tryAuth] });
}

/** Routes of `Api/`: a user's login is required, but on open ones; on `try` ones it is optional. */
export const api = {
  get: createBuilder<UserCaller>('api', 'required', 'GET'),
  post: createBuilder<UserCaller>('api', 'required', 'POST'),
  openGet: createBuilder<NoCaller>('api', 'open', 'GET'),
  openPost: createBuilder<NoCaller>('api', 'open', 'POST'),
  tryGet: withOptionalLogin(createBuilder<OptionalCaller>('api', 'open', 'GET')),
  tryPost: withOptionalLogin(createBuilder<OptionalCaller>('api', 'open', 'POST')),
};

const mcpAuth = 'mcp.auth';

/** Adds `mcp.auth` to what an open route declares. */
function withMcpLogin(builder: Builder<McpCaller>): Builder<McpCaller> {
  return (options) => builder({ ...options, middleware: [...(options.middleware ?? []), mcpAuth] });
}

/** Routes of `Web/`: open, without gates; those of `mcp` take an administrator's login or an API token. */
export const web = {
  get: createBuilder<NoCaller>('web', 'open', 'GET'),
  mcpPost: withMcpLogin(createBuilder<McpCaller>('web', 'open', 'POST')),
};
