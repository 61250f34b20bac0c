import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type * as z from 'zod/mini';
import type { FunctionLimits } from '#shared/module/module.ts';
import type { LocalisedText } from '#shared/schema/component.ts';
import type { Schema } from '#shared/schema/definition.ts';
import type { Added, Gated, GateUse } from './gates.ts';
import type { Need, Needs } from './needs.ts';
import type { DescribedFailure, RouteReference } from './reference.ts';
import type { BodyParser, RequestContext } from './request-context.ts';

export type { BuiltSite, ConsoleFiles, Need, Needs } from './needs.ts';
export type { DescribedAnswer, DescribedFailure, RouteReference } from './reference.ts';

/** `Admin/` → `/adminapi/…`, `Api/` → `/api/…`, `Web/` → fixed paths without a prefix. */
export type Area = 'admin' | 'api' | 'web';
export type Method = 'GET' | 'POST';

export interface RequestInfo
  extends Pick<RequestContext, 'address' | 'event' | 'remainingMs' | 'isUnderPressure'> {
  /** The invocation's `awsRequestId`. */
  id: string;
  /**
   * Tells throttles that the credential is right: the request does not count as a failure. Call it beside the last
   * write, so that it takes no round trip of its own. Idempotent; never throws.
   */
  acceptCredential(): Promise<void>;
}

/** The context of every handler, without what gates and `needs` add. */
interface HandlerContext<Query = unknown, Body = unknown, Prefetched = unknown>
  extends Pick<RequestContext, 'locale' | 'texts'> {
  query: Query;
  body: Body;
  /** The result of the route's `prefetch`; undefined for a route without one. */
  prefetched: Prefetched;
  request: RequestInfo;
}

/** Where a request can carry a credential. */
export interface SentCredential {
  /** Fields of the body; empty if no throttle of the route counts by the body. */
  body: Record<string, unknown>;
  query: URLSearchParams;
}

/** Limits of the deployed function. */
export interface RouteLimits extends FunctionLimits {
  /** Requests at the same time. Above it, the gateway answers 503. */
  concurrency?: number;
}

interface RouteSettings {
  /** One line for the API reference. */
  summary: LocalisedText;
  /**
   * Renders failures without the envelope, for a route whose standard says how they look. Its texts are English,
   * because such standards take ASCII.
   */
  renderFailure?(failure: DescribedFailure): {
    status: number;
    headers?: Record<string, string>;
    body: object;
  };
  /** Reads the body. @default JSON */
  parser?: BodyParser;
  /** Largest body, in bytes. @default 64 KiB on open routes, 1 MiB behind a login (`bodyLimitOf`) */
  bodyLimitBytes?: number;
  /** Whether the route's throttles count a request. @default always */
  isThrottled?(event: APIGatewayProxyEventV2): boolean;
  /**
   * Finds a genuine credential without a request to a store; throttles count it by `credential`, instead of its sender
   * by `guest_address`. Nothing is validated yet.
   *
   * @returns what the credential belongs to; undefined if none is found
   */
  readCredential?(sent: SentCredential): string | undefined;
  /** Error codes of `prefetch` and handler; the generator adds those of gates, parser, schemas and the database. */
  errors?: readonly string[];
  reference?: RouteReference;
  /** Answers with a weak ETag of data and locale, and supports `If-None-Match`. */
  conditional?: { cacheControl: string };
  /**
   * What an administrator needs for a route behind `admin.auth`. `login`: nothing else. `handler`: the handler asks
   * for the route's permission. @default the permission of its path, `read` for GET and `write` for POST
   */
  right?: 'read' | 'login' | 'handler';
  /** Other routes of its folder, by name: the handler gets their permissions by `permissionOf('chat')`. */
  asksFor?: readonly string[];
  /**
   * Divides the route's right: each group of settings has a right of its own below it, `…/save/ai`. The gate asks for the
   * right to one of them, and the handler for the right to the one that is meant, by `requirePart`.
   */
  parts?: 'settings';
  /**
   * Whether an administrator who has a second factor must have given it within 10 minutes. API tokens are refused, also
   * those of administrators without one.
   * For a route that gives rights, or changes who can log in. A handler that decides itself calls `requireRecentFactor`.
   */
  recentFactor?: boolean;
  /** Only a grant of its own path or of its direct folder covers it. */
  sensitive?: boolean;
  /** Earlier paths, whose grants stay valid: `['system/old/name']`. */
  formerly?: readonly string[];
  /** Answers HEAD too; then the handler must leave out the body. */
  head?: boolean;
  /** Further URL paths of a `Web/` route, which its function answers too. */
  aliases?: readonly string[];
  /** Mounts the disk of the storage engine `local`, if there is one. */
  storage?: boolean;
  /** Packages the libraries of `native/`, with machine code for the architecture of the function. */
  libraries?: boolean;
  /**
   * What the audit log records. `read`: the requests of a GET route. `login`: the requests of an open route that
   * write, and its refusals, which are counted; its handler calls `identifyCaller`. `tools`: only the calls of tools
   * that write, not the requests around them.
   *
   * @default the requests of POST routes that require an administrator
   */
  audit?: 'read' | 'login' | 'tools';
  /**
   * The record that the body names, for the audit log: `dict:{type_key}:{value}`. `{adminId}` is the caller.
   *
   * @default `{id}` or `{ids}` with the folder's `records`
   */
  target?: string;
  limits?: RouteLimits;
}

export interface PrefetchContext<Query = unknown> {
  query: Query;
  /** Fields of the body, not validated; empty unless a throttle of the route counts by the body. */
  sent: Record<string, unknown>;
  event: APIGatewayProxyEventV2;
}

/** The options of a route file; the path of the file gives the URL. */
interface RouteOptions<
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
  /** `data` of the envelope. */
  data: D;
  /** Gates besides those of the area. */
  middleware?: readonly Uses[];
  needs?: readonly Asked[];
  /**
   * Reads data for the handler together with the gates' reads. It does not run if a gate refuses without a read. Read a
   * page or a few records, no more: a caller whose login was revoked can still cause it (decision 0012).
   */
  prefetch?(context: PrefetchContext<z.output<Q>> & Pick<Needs, Asked>): Promise<Prefetched>;
  /** May return nothing if `data` is null. */
  handler(
    context: HandlerContext<z.output<Q>, z.output<B>, Prefetched> &
      Added<Uses | AreaUses> &
      Pick<Needs, Asked>,
  ): Promise<z.input<D>> | (null extends z.input<D> ? Promise<void> : never);
}

/** A route, for the generator and the chain. */
export interface Route extends RouteSettings, Gated {
  area: Area;
  method: Method;
  query?: Schema;
  body?: Schema;
  data: Schema;
  needs?: readonly Need[];
  // Methods, so that their parameters may be narrower: the chain passes what the route's options describe.
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
  ): Route => {
    const { middleware = [] } = options;
    const isThrottled = listOf(middleware).some(isThrottle);
    const own = isThrottled ? gates.filter((use) => !isThrottle(use)) : gates;
    return { ...options, area, method, middleware, gates: own };
  };
}

const isThrottle = (use: unknown): boolean => String(use).startsWith('throttle:');
// Discovery names a route whose declarations have another type.
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/**
 * Routes of `Admin/`: an administrator's login is required, except for open ones. Changes are limited by
 * `throttle:admin-change`, unless the route has a throttle of its own.
 */
export const admin = {
  get: createBuilder('admin', 'GET', ['admin.auth']),
  post: createBuilder('admin', 'POST', ['throttle:admin-change', 'admin.auth']),
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

/** Routes of `Web/`: only the gates that they add. */
export const web = {
  get: createBuilder('web', 'GET'),
  post: createBuilder('web', 'POST'),
};
