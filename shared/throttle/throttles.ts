import type { LocalisedText } from '#shared/schema/component.ts';

/**
 * What requests are counted by. `principal`: the caller, if the login gate accepts the token; `guest_address`: the
 * address of all others; `refused_address`: the address, if the login gate refuses the token.
 */
export const callerDimensions = ['address', 'principal', 'guest_address', 'refused_address'] as const;
export type CallerDimension = (typeof callerDimensions)[number];

/** A value of the request. */
interface SentDimension {
  /** For the API reference. @default the field's name, or `credential` */
  title?: LocalisedText;
}

/** A field of the body, if it is a text. */
export interface BodyDimension extends SentDimension {
  body: string;
}

/** What the route's `readCredential` finds, there; the caller is no guest then. */
export interface CredentialDimension extends SentDimension {
  credential: 'body' | 'query';
}

export type Dimension = CallerDimension | BodyDimension | CredentialDimension;

/** The name of a dimension in counters and errors: `address`, `body.mobile`, `credential`. */
export function nameDimension(dimension: Dimension): string {
  if (typeof dimension === 'string') return dimension;
  return 'body' in dimension ? `body.${dimension.body}` : 'credential';
}

/** At most `limit` requests in `windowSeconds` with the same values of `by`. */
export interface ThrottleRule {
  by: readonly Dimension[];
  limit: number;
  windowSeconds: number;
  /** A request that the handler refuses with this code is not counted. */
  exempt?: string;
  /**
   * Counts failures: requests that the handler refuses with one of these codes, or never answers. A full rule refuses
   * nothing and counts no more; `request.isUnderPressure` tells the handler to ask for a captcha. The throttle needs a rule
   * without `failures`, too.
   */
  failures?: readonly string[];
}

export interface Throttle {
  rules: readonly ThrottleRule[];
  /** Counts if the cache is away: the table, or each process by itself. */
  fallback: 'table' | 'process';
}

/**
 * Declares the throttles of a module by name; its `throttles.ts` exports the result as default. Routes of the module,
 * and of modules that require it, name `throttle:NAME`.
 */
export const defineThrottles = <const Name extends string>(throttles: Record<Name, Throttle>) => throttles;

/** All dimensions of a throttle. */
export const listDimensions = ({ rules }: Throttle): Dimension[] => rules.flatMap(({ by }) => by);

/** Whether a throttle counts by a value of the body; then the body is parsed before the gates. */
export const countsByBody = (throttle: Throttle): boolean =>
  listDimensions(throttle).some(
    (dimension) => typeof dimension === 'object' && ('body' in dimension || dimension.credential === 'body'),
  );

/** Throttles of the platform, for routes of every module. */
export default defineThrottles({
  public: { rules: [{ by: ['address'], limit: 1200, windowSeconds: 60 }], fallback: 'process' },
  // One login must not flood the audit log. For POST routes of `Admin/` without a throttle of their own.
  'admin-change': {
    rules: [
      { by: ['principal'], limit: 600, windowSeconds: 60 },
      { by: ['guest_address'], limit: 600, windowSeconds: 60 },
    ],
    fallback: 'process',
  },
});
