import * as z from 'zod/mini';
import { label, secret } from '#shared/schema/marks.ts';
import { text } from '#shared/schema/text.ts';
import { titled } from '#shared/schema/titled.ts';
import { credential, encoded } from './proof-schema.ts';
import { factorCode, setup } from './schema.ts';

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
    }),
  ),
);

const passkeyName = titled({ zh_CN: '名称', en: 'Name' }, label(text(1, 50)));

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
