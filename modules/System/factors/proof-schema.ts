import * as z from 'zod/mini';
import { label, secret } from '#shared/schema/marks.ts';
import { text } from '#shared/schema/text.ts';
import { titled } from '#shared/schema/titled.ts';
import { challenge, factorCode, setup } from './schema.ts';

// What requests send of a second factor. The function of a login with the password loads none of it.

const encoded = (most: number) => secret(z.string().check(z.minLength(1), z.maxLength(most)));
const credential = { id: encoded(1400), rawId: encoded(1400), type: z.literal('public-key') };
const results = z.optional(z.object({}));

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
      clientExtensionResults: results,
    }),
  ),
);

/** `RegistrationResponseJSON`: what a browser answers for the options of a set-up. */
const attestation = titled(
  { zh_CN: '新的通行密钥', en: 'New passkey' },
  secret(
    z.object({
      ...credential,
      response: z.object({
        clientDataJSON: encoded(4096),
        attestationObject: encoded(8192),
        transports: z.optional(z.array(z.string().check(z.maxLength(32))).check(z.maxLength(10))),
      }),
      clientExtensionResults: results,
    }),
  ),
);

const passkeyName = titled({ zh_CN: '名称', en: 'Name' }, label(text(1, 50)));

/** The second factor of who is logged in: a code, or a passkey with a challenge of `admin/factor/challenge`. */
export const ownProof = {
  code: z.optional(factorCode),
  challenge: z.optional(challenge),
  passkey: z.optional(assertion),
};

/** What is set up. */
export const setUpMethod = titled(
  {
    zh_CN: '验证方式',
    en: 'Method',
    options: {
      totp: { zh_CN: '身份验证器应用', en: 'Authenticator app' },
      passkey: { zh_CN: '通行密钥', en: 'Passkey' },
    },
  },
  z._default(z.enum(['totp', 'passkey']), 'totp'),
);

/** The first use of what is set up: a code of the app, or the new passkey. */
export const firstProof = {
  setup,
  code: z.optional(factorCode),
  passkey: z.optional(attestation),
  name: z.optional(passkeyName),
};

const expiresAt = titled({ zh_CN: '过期时间', en: 'Expires' }, z.iso.datetime());
const typed = z.literal('public-key');

/** What is to be set up: a secret, which is shown once, or a passkey that the browser is asked for. */
export const setUpData = z.union([
  z.strictObject({
    secret: titled({ zh_CN: '密钥', en: 'Secret' }, z.string()),
    uri: titled({ zh_CN: '二维码内容', en: 'Content of the QR code' }, z.string()),
    setup,
    expires_at: expiresAt,
  }),
  z.strictObject({
    passkey: titled(
      { zh_CN: '通行密钥选项', en: 'Options for a passkey' },
      z.strictObject({
        challenge: z.string(),
        rp: z.strictObject({ id: z.string(), name: z.string() }),
        user: z.strictObject({ id: z.string(), name: z.string(), displayName: z.string() }),
        pubKeyCredParams: z.array(z.strictObject({ alg: z.number(), type: typed })),
        excludeCredentials: z.array(
          z.strictObject({ id: z.string(), type: typed, transports: z.array(z.string()) }),
        ),
        authenticatorSelection: z.strictObject({
          residentKey: z.literal('preferred'),
          requireResidentKey: z.boolean(),
          userVerification: z.literal('required'),
        }),
        attestation: z.literal('none'),
        timeout: z.number(),
      }),
    ),
    setup,
    expires_at: expiresAt,
  }),
]);

export const passkeyId = titled(
  { zh_CN: '编号', en: 'ID', type: 'id' },
  label(z.string().check(z.minLength(1), z.maxLength(1400))),
);

/** A passkey as answered: never its key. */
export const passkeyData = z.strictObject({
  id: passkeyId,
  name: passkeyName,
  created_at: titled({ zh_CN: '新增时间', en: 'Added' }, z.iso.datetime()),
  last_used_at: titled({ zh_CN: '最近使用', en: 'Last used' }, z.nullable(z.iso.datetime())),
});
