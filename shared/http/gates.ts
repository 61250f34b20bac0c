import { sessionEntity } from '#shared/auth/session.ts';
import type { ErrorCode } from '#shared/errors/catalogue.ts';
import type { LocalisedText } from '#shared/schema/component.ts';
import { countsByBody, type Throttle } from '#shared/throttle/throttles.ts';
import type { Gate } from './request-context.ts';

/**
 * The table of gates. The build reads it: entries import what their route asks for, and the API reference,
 * `route:list`, packages and roles follow it. Functions import their own gates and never this file.
 */

/** How a client authenticates, as OpenAPI names it. */
export type SecurityScheme = 'adminToken' | 'userToken' | 'apiToken';

/** What the build has to know about a gate. */
export interface GateFacts {
  /** The codes that it refuses with, and the headers that each comes with. */
  refusals: Partial<Record<ErrorCode, readonly string[]>>;
  /** Headers of every answer behind it. */
  headers?: readonly string[];
  /** Of a login: each way to authenticate; `{}` lets guests through. */
  security?: readonly Partial<Record<SecurityScheme, []>>[];
  /** A sentence for the API reference. */
  reference?: LocalisedText;
  /** Partition keys of the items that it writes, as IAM patterns; it may stand before a GET. */
  writes?: readonly string[];
  /** Whether it asks for the install lock, which is packaged beside the code then. */
  needsInstallLock?: boolean;
}

/** A gate's line. @typeParam File its file: the gate's type says what it adds to the handler's context */
const gate = <File>(facts: GateFacts): GateFacts & { file?: File } => facts;

/** Codes of 401. */
export const loginCodes = [
  'auth.token_missing',
  'auth.token_invalid',
  'auth.token_expired',
  'auth.token_revoked',
  'auth.principal_mismatch',
  'auth.principal_disabled',
] as const satisfies ErrorCode[];

const loginRefusals: GateFacts['refusals'] = Object.fromEntries(
  [...loginCodes, 'auth.scope_insufficient'].map((code) => [code, ['www-authenticate']]),
);
// A login prolongs its session.
const writes = [sessionEntity.key({ id: '*' }).pk];
const rateLimitHeaders = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'];

/**
 * All gates, in the order in which their refusals take precedence (contract, section 4). `admin.auth` is the
 * default export of `gates/admin-auth.ts`, and so on; that of `throttle` takes what follows the colon.
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
    security: [{ adminToken: [] }],
    reference: { zh_CN: '需要管理员登录。', en: "Needs an administrator's login." },
    writes,
  }),
  'api.auth': gate<typeof import('./gates/api-auth.ts')>({
    refusals: loginRefusals,
    security: [{ userToken: [] }],
    reference: { zh_CN: '需要用户登录。', en: "Needs a user's login." },
    writes,
  }),
  'api.try-auth': gate<typeof import('./gates/api-try-auth.ts')>({
    refusals: {},
    security: [{}, { userToken: [] }],
    reference: { zh_CN: '游客和已登录用户均可调用。', en: 'Open to guests and to users who are logged in.' },
    writes,
  }),
  'mcp.auth': gate<typeof import('./gates/mcp-auth.ts')>({
    refusals: { ...loginRefusals, 'auth.origin_denied': [] },
    security: [{ adminToken: [] }, { apiToken: [] }],
    reference: {
      zh_CN: '需要管理员登录或 API 令牌。',
      en: "Needs an administrator's login or an API token.",
    },
    writes,
  }),
} as const satisfies Record<string, GateFacts>;

type Gates = typeof gates;
export type GateName = keyof Gates;
/** A gate as routes name it. */
export type GateUse = Exclude<GateName, 'throttle'> | `throttle:${string}`;

type AddedByFile<File> = File extends { default: Gate<infer Given extends object> } ? Given : unknown;
type AddedByOne<Use> = Use extends GateName ? AddedByFile<NonNullable<Gates[Use]['file']>> : unknown;

/** What gates add to the handler's context, together. */
export type Added<Uses extends GateUse> = (
  Uses extends unknown
    ? (added: AddedByOne<Uses>) => void
    : never
) extends (added: infer All) => void
  ? All
  : never;

/** What of a route says which gates it is behind. */
export interface Gated {
  /** Those of its area. */
  gates: readonly GateUse[];
  /** Those that it adds. */
  middleware: readonly GateUse[];
}

/** A gate that a route is behind. */
export interface FoundGate extends GateFacts {
  name: string;
  /** As imports name it. */
  file: string;
  /** What follows the colon. */
  argument: string | undefined;
}

/** The gates of a route in the order of precedence. */
export function listGates(route: Gated): FoundGate[] {
  const uses = [...route.gates, ...route.middleware].map((use) => use.split(':'));
  return Object.entries<GateFacts>(gates).flatMap(([name, facts]) => {
    const file = `#shared/http/gates/${name.replace('.', '-')}.ts`;
    return uses.filter(([each]) => each === name).map(([, argument]) => ({ ...facts, name, file, argument }));
  });
}

/** The gate that says who calls; undefined for a route that takes no token. */
export const findLogin = (route: Gated): FoundGate | undefined =>
  listGates(route).find(({ security }) => security);

/** Whether only callers who are logged in reach the handler. */
export const requiresLogin = (route: Gated): boolean =>
  findLogin(route)?.security?.every((way) => Object.keys(way).length > 0) ?? false;

/** Names of a route's throttles. */
export const listThrottles = (route: Gated): string[] =>
  listGates(route).flatMap(({ name, argument = '' }) => (name === 'throttle' ? [argument] : []));

const kib = 1024;

/**
 * Largest JSON bodies in bytes (contract, section 4). The parser calls a function for each value: a list of 1 MiB
 * takes a quarter of a second or more, so only callers who are logged in may send that much.
 */
const bodyLimits = { countedByBody: 16 * kib, open: 64 * kib, behindLogin: 1024 * kib } as const;

/**
 * Largest body that a route takes, in bytes: its own limit, its parser's, or that of its kind.
 *
 * @param throttles those that the route names
 */
export function bodyLimitOf(
  route: Gated & { bodyLimitBytes?: number; parser?: { limitBytes?: number } },
  throttles: readonly Throttle[],
): number {
  const ownBytes = route.bodyLimitBytes ?? route.parser?.limitBytes;
  if (ownBytes !== undefined) return ownBytes;
  if (throttles.some(countsByBody)) return bodyLimits.countedByBody;
  return requiresLogin(route) ? bodyLimits.behindLogin : bodyLimits.open;
}
