import { countPartition } from '#shared/audit/counts.ts';
import { auditPartition } from '#shared/audit/new-entry.ts';
import { apiTokenEntity } from '#shared/auth/api-token.ts';
import { sessionEntity } from '#shared/auth/session.ts';
import { loginCodes } from '#shared/auth/token.ts';
import type { ErrorCode } from '#shared/errors/catalogue.ts';
import type { LocalisedText } from '#shared/schema/component.ts';
import { countsByBody, type Throttle } from '#shared/throttle/throttles.ts';
import type { Gate } from './request-context.ts';

/**
 * The table of gates, for the build: entries, the API reference, `route:list`, packages and roles follow it.
 * Functions import their own gates and never this file.
 */

/** Security schemes of the OpenAPI document. */
export type SecurityScheme = 'adminToken' | 'userToken' | 'apiToken';

/** A right to write that a gate needs. */
interface GateWrites {
  actions: readonly ('DeleteItem' | 'PutItem' | 'UpdateItem')[];
  /** Partition keys of the items, as IAM patterns. */
  keys: readonly string[];
  /** Attributes that it may name. @default all */
  attributes?: readonly string[];
}

/** Facts about a gate, for the build. */
export interface GateFacts {
  /** Its error codes, each with its response headers. */
  refusals: Partial<Record<ErrorCode, readonly string[]>>;
  /** Headers of every answer of its routes. */
  headers?: readonly string[];
  /** Each way to authenticate, for a login; `{}` admits guests. */
  security?: readonly Partial<Record<SecurityScheme, []>>[];
  /** A sentence for the API reference. */
  reference?: LocalisedText;
  /** Both for a route with `right: 'login'` or `recentFactor`, if they differ. */
  ofLogins?: Pick<GateFacts, 'security' | 'reference'>;
  /** What it writes; functions of GET routes need the right too. */
  writes?: readonly GateWrites[];
  /** Whether its factory takes the permission of the route. */
  takesPermission?: boolean;
  /** Whether the package must contain the install lock. */
  needsInstallLock?: boolean;
}

/** @typeParam File its file, whose type says what the gate adds to the handler's context */
const gate = <File>(facts: GateFacts): GateFacts & { file?: File } => facts;

const loginRefusals: GateFacts['refusals'] = Object.fromEntries(
  [...loginCodes, 'auth.scope_insufficient'].map((code) => [code, ['www-authenticate']]),
);
// A login records the use of its session; a logout, which is a GET, deletes it.
const sessionWrites: GateWrites[] = [
  { actions: ['DeleteItem', 'UpdateItem'], keys: [sessionEntity.key({ id: '*' }).pk] },
];
/** The use of an API token is recorded too. */
const tokenWrites: GateWrites[] = [
  {
    actions: ['UpdateItem'],
    keys: [apiTokenEntity.key({ adminId: '*', id: '' }).pk],
    attributes: ['pk', 'sk', 'last_used_at'],
  },
];
// A refusal is recorded, or counted, in the audit log.
const auditWrites: GateWrites[] = [
  { actions: ['PutItem'], keys: [auditPartition('*'), countPartition('*', '*')] },
  { actions: ['UpdateItem'], keys: [countPartition('*', '*')] },
];
const rateLimitHeaders = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'];

/**
 * All gates, in the order of precedence of their refusals (contract, section 4). `admin.auth` is the default export of
 * `gates/admin-auth.ts`, and so on. The exports of `throttle` and `admin.auth` are factories: they take the declared
 * throttle and the route's permission.
 */
export const gates = {
  'api.site': gate<typeof import('./gates/api-site.ts')>({
    refusals: { 'site.closed': ['retry-after'] },
    reference: { zh_CN: '站点关闭时返回 503。', en: 'Answers 503 while the site is closed.' },
    needsInstallLock: true,
  }),
  throttle: gate<typeof import('./gates/throttle.ts')>({
    refusals: { 'throttle.exceeded': ['retry-after', ...rateLimitHeaders] },
    headers: rateLimitHeaders,
  }),
  'admin.auth': gate<typeof import('./gates/admin-auth.ts')>({
    refusals: loginRefusals,
    takesPermission: true,
    security: [{ adminToken: [] }, { apiToken: [] }],
    reference: {
      zh_CN: '需要管理员登录，或范围为 `api:read`（不改变数据的接口）、`api:write` 的 API 令牌。',
      en: "Needs an administrator's login, or an API token with the scope `api:read` (for what changes nothing) or `api:write`.",
    },
    ofLogins: {
      security: [{ adminToken: [] }],
      reference: { zh_CN: '需要管理员登录。', en: "Needs an administrator's login." },
    },
    writes: [...sessionWrites, ...tokenWrites, ...auditWrites],
  }),
  'api.auth': gate<typeof import('./gates/api-auth.ts')>({
    refusals: loginRefusals,
    security: [{ userToken: [] }],
    reference: { zh_CN: '需要用户登录。', en: "Needs a user's login." },
    writes: sessionWrites,
  }),
  'api.try-auth': gate<typeof import('./gates/api-try-auth.ts')>({
    refusals: {},
    security: [{}, { userToken: [] }],
    reference: { zh_CN: '游客和已登录用户均可调用。', en: 'Open to guests and to users who are logged in.' },
    writes: sessionWrites,
  }),
  'mcp.auth': gate<typeof import('./gates/mcp-auth.ts')>({
    refusals: { ...loginRefusals, 'auth.origin_denied': [] },
    security: [{ adminToken: [] }, { apiToken: [] }],
    reference: {
      zh_CN: '需要管理员登录、API 令牌或 OAuth 访问令牌。',
      en: "Needs an administrator's login, an API token, or an access token of OAuth.",
    },
    writes: sessionWrites,
  }),
} as const satisfies Record<string, GateFacts>;

type Gates = typeof gates;
type GateName = keyof Gates;
/** A gate in a route: `admin.auth`, `throttle:public`. */
export type GateUse = Exclude<GateName, 'throttle'> | `throttle:${string}`;

type AddedByFile<File> = File extends { default: Gate<infer Given extends object> }
  ? Given
  : File extends { default: (...settings: never[]) => Gate<infer Given extends object> }
    ? Given
    : unknown;
type AddedByOne<Use> = Use extends GateName ? AddedByFile<NonNullable<Gates[Use]['file']>> : unknown;

/** The sum of what gates add to the handler's context. */
export type Added<Uses extends GateUse> = (
  Uses extends unknown
    ? (added: AddedByOne<Uses>) => void
    : never
) extends (added: infer All) => void
  ? All
  : never;

/** The gates of a route. */
export interface Gated {
  /** Gates of its area. */
  gates: readonly GateUse[];
  /** Gates that it adds. */
  middleware: readonly GateUse[];
}

/** The gates of a route in the order of precedence, each with its import path and the name after the colon. */
export function listGates(route: Gated) {
  const uses = [...route.gates, ...route.middleware].map((use) => use.split(':'));
  return Object.entries<GateFacts>(gates).flatMap(([name, facts]) => {
    const file = `#shared/http/gates/${name.replace('.', '-')}.ts`;
    return uses.filter(([each]) => each === name).map(([, argument]) => ({ ...facts, name, file, argument }));
  });
}

/** A gate of a route. */
export type FoundGate = ReturnType<typeof listGates>[number];

/** The gate that identifies the caller; undefined for a route without a login. */
export function findLogin(route: Gated & { right?: string; recentFactor?: boolean }): FoundGate | undefined {
  const login = listGates(route).find(({ security }) => security);
  const isOfLogins = route.right === 'login' || route.recentFactor;
  return login && { ...login, ...(isOfLogins && login.ofLogins) };
}

/** Whether the handler runs only for callers with a login. */
export const requiresLogin = (route: Gated): boolean =>
  findLogin(route)?.security?.every((way) => Object.keys(way).length > 0) ?? false;

/** What the audit log records of a route: all requests that pass the gates, or only refusals of its permission. */
export function findAudit(
  route: Gated & { area: string; method: string; audit?: string },
): 'requests' | 'refusals' | undefined {
  const isAdmin = route.area === 'admin' && requiresLogin(route);
  if (route.audit ? route.audit !== 'tools' : isAdmin && route.method === 'POST') return 'requests';
  return isAdmin ? 'refusals' : undefined;
}

/** Names of a route's throttles. */
export const listThrottles = (route: Gated): string[] =>
  listGates(route).flatMap(({ name, argument = '' }) => (name === 'throttle' ? [argument] : []));

const kib = 1024;

/**
 * Largest JSON bodies in bytes (contract, section 4). The parser needs a quarter of a second or more for a list of
 * 1 MiB, so only callers with a login may send that much.
 */
const bodyLimits = { countedByBody: 16 * kib, open: 64 * kib, behindLogin: 1024 * kib } as const;

/** Largest body of a route, in bytes: its own limit, its parser's, or that of its kind. */
export function bodyLimitOf(
  route: Gated & { bodyLimitBytes?: number; parser?: { limitBytes?: number } },
  throttles: readonly Throttle[],
): number {
  const ownBytes = route.bodyLimitBytes ?? route.parser?.limitBytes;
  if (ownBytes !== undefined) return ownBytes;
  if (throttles.some(countsByBody)) return bodyLimits.countedByBody;
  return requiresLogin(route) ? bodyLimits.behindLogin : bodyLimits.open;
}
