/**
 * What requests are counted by. `principal`: the caller, if the login gate accepts the token; `guest_address`: the
 * address of all others; `refused_address`: the address, if the login gate refuses the token; `credential`: what the
 * route's `readCredential` finds in the body; the caller is no guest then.
 */
export const dimensions = [
  'address',
  'account',
  'mobile',
  'principal',
  'guest_address',
  'refused_address',
  'ticket',
  'credential',
] as const;
export type Dimension = (typeof dimensions)[number];

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

const bodyDimensions: ReadonlySet<Dimension> = new Set(['account', 'mobile', 'credential']);

/** Whether a throttle counts by a field of the body; then the body is parsed before the gates. */
export const countsByBody = ({ rules }: Throttle): boolean =>
  rules.some(({ by }) => by.some((dimension) => bodyDimensions.has(dimension)));

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
