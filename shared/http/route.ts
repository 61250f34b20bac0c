import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type * as z from 'zod/mini';
import type { Locale } from '#shared/i18n/locale.ts';
import type { Translate } from '#shared/i18n/messages.ts';
import type { ModuleManifest } from '#shared/module/module.ts';
import type { LocalisedText } from '#shared/schema/component.ts';
import type { ToolRegistry } from '#shared/tools/registry.ts';
import type { Added, Gated, GateUse } from './gates.ts';
import type { BodyParser } from './request-context.ts';

/** Where a route lives: `Admin/` → `/adminapi/…`, `Api/` → `/api/…`, `Web/` → fixed paths without a prefix. */
export type Area = 'admin' | 'api' | 'web';
export type Method = 'GET' | 'POST';
export type Schema = z.core.$ZodType;

export interface RequestInfo {
  /** The invocation's `awsRequestId`. */
  id: string;
  /** The client's address as the gateway saw it. */
  address: string;
  event: APIGatewayProxyEventV2;
  /** Milliseconds until the function is stopped. */
  remainingMs(): number;
}

/** What every handler is given, whoever calls. */
export interface HandlerContext<Query = unknown, Body = unknown, Prefetched = unknown> {
  query: Query;
  body: Body;
  /** What the route's `prefetch` read; undefined for a route without one. */
  prefetched: Prefetched;
  locale: Locale;
  t: Translate;
  request: RequestInfo;
}

/** What a route may ask for. It holds something of every module, so the function is deployed with any of them. */
export interface Needs {
  /** Manifests of the enabled modules. */
  modules: readonly ModuleManifest[];
  /** Tools of the enabled modules. */
  tools: ToolRegistry;
  /** The OpenAPI document of all enabled routes in each locale, made at build time. */
  documents: Record<Locale, () => Promise<{ default: Record<string, unknown> }>>;
}
export type Need = keyof Needs;

/** An answer without an envelope, for the API reference. */
export interface DescribedAnswer {
  status: number;
  description: LocalisedText;
  /** Media type of its body; without one it has no body. */
  contentType?: string;
  /** Schema of a JSON body; any other body is bytes. */
  schema?: Schema;
  /** Headers besides those of every answer, in lower case. */
  headers?: readonly string[];
}

/** What the API reference says about a route besides its schemas. */
export interface RouteReference {
  /** What callers need to know besides the summary, as plain text; who may call and limits are added to it. */
  description?: LocalisedText;
  /** What clients send, if `body` describes something else. */
  body?: Schema;
  /** The answers of a route whose `data` is `rawAnswer`. */
  answers?: readonly DescribedAnswer[];
  /** Request headers that change the answer. */
  headers?: readonly ('If-None-Match' | 'If-Range' | 'Range')[];
  /** What failures carry under `data`, for codes that carry something. */
  errorData?: Record<string, Schema>;
  /** Passes on failures of tools, whose codes are not known beforehand. */
  passesErrors?: boolean;
  /** Samples, as clients see them; a test checks them against the schemas. */
  example?: { query?: Record<string, string>; body?: unknown; data?: unknown };
}

/** What a route declares besides its schemas and its handler. */
interface RouteSettings {
  /** One line for the API reference. */
  summary: LocalisedText;
  /** Reads the body. @default JSON */
  parser?: BodyParser;
  /** Largest body, in bytes. @default 64 KiB on open routes, 1 MiB behind a login (`bodyLimitOf`) */
  bodyLimitBytes?: number;
  /** Whether a request counts on the route's throttles. @default every one does */
  isThrottled?(event: APIGatewayProxyEventV2): boolean;
  /**
   * Codes that `prefetch` and handler refuse or fail with, for the API reference; those of gates, parser and
   * schemas, and of a database that cannot be reached, are known.
   */
  errors?: readonly string[];
  /** More for the API reference. */
  reference?: RouteReference;
  /** Answers with a weak ETag over data and locale and takes `If-None-Match`. */
  conditional?: { cacheControl: string };
  /** Answers HEAD too; the handler leaves the body out then. */
  head?: boolean;
  /** Gives the deployed function the disk of the storage engine `local`, if there is one. */
  storage?: boolean;
  /** Of the deployed function. `concurrency`: requests at the same time; more are 503 by the gateway. */
  limits?: { timeoutSeconds?: number; memoryMb?: number; concurrency?: number };
}

/** What a route's `prefetch` is given, besides what the route needs. */
export interface PrefetchContext<Query = unknown> {
  query: Query;
  /** Fields of the body, not validated; empty unless a throttle of the route counts by the body. */
  sent: Record<string, unknown>;
  event: APIGatewayProxyEventV2;
}

/** What a route file writes; the file's path gives the URL. */
export interface RouteOptions<
  Q extends Schema,
  B extends Schema,
  D extends Schema,
  Uses extends GateUse,
  AreaUses extends GateUse,
  Asked extends Need,
  Prefetched,
> extends RouteSettings {
  /** Query parameters; unknown ones are ignored. */
  query?: Q;
  /** Body of a POST, a strict object; unknown fields are refused. */
  body?: B;
  /** What the envelope carries under `data`. */
  data: D;
  /** Gates besides those of the area; what a login adds is in the handler's context. */
  middleware?: readonly Uses[];
  /** What the handler's context holds besides. */
  needs?: readonly Asked[];
  /**
   * What the handler will read, issued in the tick of the gates' reads: cached data is read in the same request,
   * the database beside it. The result reaches the handler only after every gate has passed; if a gate refuses
   * without a read, nothing is read. A page or a few records, no more: a caller whose login was revoked can still
   * cause it (decision 0012).
   */
  prefetch?(context: PrefetchContext<z.output<Q>> & Pick<Needs, Asked>): Promise<Prefetched>;
  /** May return nothing if `data` is null. */
  handler(
    context: HandlerContext<z.output<Q>, z.output<B>, Prefetched> &
      Added<Uses | AreaUses> &
      Pick<Needs, Asked>,
  ): Promise<z.input<D>> | (null extends z.input<D> ? Promise<void> : never);
}

/** A route as the generator and the chain see it. */
export interface Route extends RouteSettings, Gated {
  area: Area;
  method: Method;
  query?: Schema;
  body?: Schema;
  data: Schema;
  needs?: readonly Need[];
  // Methods, so that their parameters may be narrower: the chain gives a handler what its own options describe.
  prefetch?(context: PrefetchContext): Promise<unknown>;
  handler(context: HandlerContext): Promise<unknown>;
}

function createBuilder<AreaUses extends GateUse = never>(
  area: Area,
  method: Method,
  gates: readonly AreaUses[] = [],
) {
  return <
    D extends Schema,
    Q extends Schema = z.ZodMiniUndefined,
    B extends Schema = z.ZodMiniUndefined,
    Uses extends GateUse = never,
    Asked extends Need = never,
    Prefetched = undefined,
  >(
    options: RouteOptions<Q, B, D, Uses, AreaUses, Asked, Prefetched>,
  ): Route => ({ middleware: [], ...options, area, method, gates });
}

/** Routes of `Admin/`: an administrator's login is required, except for open ones. */
export const admin = {
  get: createBuilder('admin', 'GET', ['admin.auth']),
  post: createBuilder('admin', 'POST', ['admin.auth']),
  openGet: createBuilder('admin', 'GET'),
  openPost: createBuilder('admin', 'POST'),
};

/** Routes of `Api/`: a user's login is required, except for open ones. With `api.try-auth` it is optional. */
export const api = {
  get: createBuilder('api', 'GET', ['api.site', 'api.auth']),
  post: createBuilder('api', 'POST', ['api.site', 'api.auth']),
  openGet: createBuilder('api', 'GET', ['api.site']),
  openPost: createBuilder('api', 'POST', ['api.site']),
};

/** Routes of `Web/`: open, without gates but those that they add. */
export const web = {
  get: createBuilder('web', 'GET'),
  post: createBuilder('web', 'POST'),
};
