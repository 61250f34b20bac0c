import * as z from 'zod/mini';

/** A challenge as the ALTCHA widget takes it. */
export const captchaChallenge = z.looseObject({ signature: z.optional(z.string()) });

/** `data` of `auth.captcha_required`: what to solve. */
export const captchaRequired = z.strictObject({ driver: z.literal('altcha'), challenge: captchaChallenge });
