import * as z from 'zod/mini';
import { secret } from '#shared/schema/marks.ts';
import { titled } from '#shared/schema/titled.ts';
import { challenge, factorCode } from './schema.ts';

// The fields of requests that hold a second factor. `login/account` does not load this file.

/** Bytes in base64url. */
export const encoded = (most: number) => secret(z.string().check(z.minLength(1), z.maxLength(most)));
/** What both answers of a browser have. */
export const credential = { id: encoded(1400), rawId: encoded(1400), type: z.enum(['public-key']) };

/** `AuthenticationResponseJSON`: what a browser answers for the options of a challenge. */
export const assertion = titled(
  { zh_CN: '通行密钥的签名', en: 'Answer of a passkey' },
  secret(
    z.object({
      ...credential,
      response: z.object({
        clientDataJSON: encoded(4096),
        authenticatorData: encoded(2048),
        signature: encoded(2048),
      }),
    }),
  ),
);

/** The second factor of who is logged in: a code, or a passkey with a challenge of `admin/factor/challenge`. */
export const ownProof = {
  code: z.optional(factorCode),
  challenge: z.optional(challenge),
  passkey: z.optional(assertion),
};
