import type { ErrorCode } from '#shared/errors/catalogue.ts';

/**
 * What a request can be counted by. `principal`: the caller, if the login gate accepts the token; `guest_address`: the
 * address of all others; `refused_address`: the address, if the login gate refuses the token.
 */
export type Dimension =
  | 'address'
  | 'account'
  | 'mobile'
  | 'principal'
  | 'guest_address'
  | 'refused_address'
  | 'ticket';

/** At most `limit` requests in any `windowSeconds` of the same values of `by`. */
export interface ThrottleRule {
  by: readonly Dimension[];
  limit: number;
  windowSeconds: number;
  /** A request that the handler refuses with this code is not counted. */
  exempt?: ErrorCode;
}

export interface Throttle {
  rules: readonly ThrottleRule[];
  /** Where it is counted when the cache is away: the table, or this process alone. */
  fallback: 'table' | 'process';
}

const minute = 60;
const hour = 3600;
const day = 86_400;

/** Static configuration of `throttle:*` (contract, section 4); the table in `docs/api.md` is kept equal by a test. */
export const throttles = {
  'admin-login': {
    rules: [
      { by: ['account', 'address'], limit: 5, windowSeconds: minute },
      { by: ['address'], limit: 20, windowSeconds: minute },
    ],
    fallback: 'table',
  },
  'user-login': {
    rules: [
      { by: ['address'], limit: 10, windowSeconds: minute },
      { by: ['mobile', 'address'], limit: 5, windowSeconds: minute },
      { by: ['mobile'], limit: 30, windowSeconds: hour },
    ],
    fallback: 'table',
  },
  captcha: { rules: [{ by: ['address'], limit: 30, windowSeconds: minute }], fallback: 'process' },
  sms: {
    rules: [
      { by: ['mobile'], limit: 1, windowSeconds: minute, exempt: 'auth.captcha_required' },
      { by: ['mobile'], limit: 10, windowSeconds: day, exempt: 'auth.captcha_required' },
      { by: ['address'], limit: 30, windowSeconds: day },
    ],
    fallback: 'table',
  },
  upload: {
    rules: [
      { by: ['principal'], limit: 60, windowSeconds: minute },
      { by: ['guest_address'], limit: 10, windowSeconds: minute },
    ],
    fallback: 'process',
  },
  'upload-part': { rules: [{ by: ['ticket'], limit: 600, windowSeconds: minute }], fallback: 'process' },
  ai: {
    rules: [
      { by: ['principal'], limit: 20, windowSeconds: minute },
      { by: ['guest_address'], limit: 20, windowSeconds: minute },
    ],
    fallback: 'process',
  },
  password: {
    rules: [
      { by: ['principal'], limit: 5, windowSeconds: minute },
      { by: ['guest_address'], limit: 5, windowSeconds: minute },
    ],
    fallback: 'process',
  },
  mcp: { rules: [{ by: ['refused_address'], limit: 30, windowSeconds: minute }], fallback: 'process' },
  public: { rules: [{ by: ['address'], limit: 1200, windowSeconds: minute }], fallback: 'process' },
} as const satisfies Record<string, Throttle>;

export type ThrottleName = keyof typeof throttles;
