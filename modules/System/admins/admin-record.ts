import { hash } from 'node:crypto';
import * as z from 'zod/mini';
import { adminEntity, adminPrincipals } from '#shared/auth/principal.ts';
import { createProfiles } from '#shared/auth/profiles.ts';
import { defineEntity, findClaim, findRow } from '#shared/db/entity.ts';
import { type Key, singleKey } from '#shared/db/items.ts';
import type { ListWrittenKeys } from '#shared/db/written-keys.ts';
import { titled } from '#shared/schema/titled.ts';
import systemErrors from '../errors.ts';

// Forms, tables and exports show the fields in this order.
const { id, account, ...rights } = adminEntity.row.shape;
// Times are plain texts here: their pattern would weigh 2.5 KB in the function of every login.
const row = z.object({
  id,
  account,
  name: titled({ zh_CN: '姓名', en: 'Name' }, z.string()),
  avatar: z.string(),
  ...rights,
  /** Stored only for those who have none. */
  has_password: z._default(z.boolean(), true),
  last_login_at: titled({ zh_CN: '最后登录时间', en: 'Last login', type: 'time' }, z.nullable(z.string())),
  last_login_ip: titled({ zh_CN: '最后登录 IP', en: 'Address of the last login' }, z.nullable(z.string())),
  created_at: z.string(),
});
export type Admin = z.infer<typeof row>;

export const adminProfiles = createProfiles('admin', { ...adminEntity, row });

/** Administrators without secrets, for answers. */
export const admins = defineEntity({
  ...adminEntity,
  row,
  mirror: [{ cache: adminPrincipals }, adminProfiles.mirror],
  indexes: {
    byCreation: { name: 'gsi1', pk: () => 'ADMIN', sk: ({ id }) => id },
    byAccount: { name: 'gsi2', pk: () => 'ADMIN_ACCOUNT', sk: ({ account }) => account },
  },
  missing: () => systemErrors.create('admin.not_found'),
});

const text = z.string();
// One schema for fields of one kind: each that is made costs the start of every login 0.04 ms.
const optional = { text: z.optional(text), texts: z.optional(z.array(text)), number: z.optional(z.number()) };

const passkey = z.object({
  /** ID of the credential, base64url. */
  id: text,
  name: text,
  /** Public key (COSE), base64url. */
  key: text,
  /** Signatures that the authenticator had made at the last use; 0 if it does not count. */
  counter: z.number(),
  transports: z.array(text),
  created_at: text,
  last_used_at: z.nullable(text),
});
export type Passkey = z.infer<typeof passkey>;

/** The second factor of an administrator who has one (`factors/`): an authenticator app, passkeys, or both. */
const factorFields = {
  /** The secret of the app, encrypted. */
  factor_secret: optional.text,
  /** When the app was set up, ISO 8601. */
  factor_since: optional.text,
  /** The last time step of which a code was used. */
  factor_step: optional.number,
  /** MACs of the recovery codes that are left. */
  factor_codes: optional.texts,
  /** Never empty. */
  passkeys: z.optional(z.array(passkey)),
};
/** Everything that is stored of a second factor. */
export const factorAttributes: readonly string[] = ['two_factor', ...Object.keys(factorFields)];

/** An invitation that was not accepted, of an administrator without a password. */
const invitationFields = {
  /** Hash of the secret in its link. */
  invitation_hash: optional.text,
  /** Unix seconds. */
  invitation_end: optional.number,
  /** ID of the administrator who has invited. */
  invited_by: optional.text,
};
export const invitationAttributes: readonly string[] = Object.keys(invitationFields);

/** The account at the OpenID provider that may log in. */
const ssoFields = {
  sso_issuer: optional.text,
  sso_subject: optional.text,
  /** When it was bound, ISO 8601. */
  sso_since: optional.text,
};
export const ssoAttributes: readonly string[] = Object.keys(ssoFields);

/** Administrators with hash, epoch and second factor; for logins and passwords only. */
export const adminRecords = defineEntity({
  ...admins,
  row: z.extend(row, {
    password_hash: text,
    session_epoch: z.number(),
    /** The lowest epoch of valid tokens, if they outlived a change of the password. */
    token_epoch: optional.number,
    /** Devices of logins, the latest ones. */
    devices: optional.texts,
    ...factorFields,
    ...invitationFields,
    ...ssoFields,
  }),
  toAttributes: ({ has_password, ...row }) => (has_password ? row : { ...row, has_password }),
});
export type AdminRecord = z.infer<typeof adminRecords.row>;
type Factors = Pick<AdminRecord, 'factor_secret' | 'passkeys'>;

/** Whether an administrator has a second factor of any kind. */
export const hasFactor = ({ factor_secret, passkeys = [] }: Factors): boolean =>
  factor_secret !== undefined || passkeys.length > 0;

/**
 * What a login needs beside its first proof: the second factor, or to set one up. Undefined if nothing.
 *
 * @param mode the setting `login.two_factor`
 */
export function findNextStep(record: Factors, mode: string): 'second' | 'setup' | undefined {
  if (hasFactor(record)) return 'second';
  return mode === 'required' ? 'setup' : undefined;
}

/** The condition that no factor was added or removed since the record was read. */
export const sameFactors = ({ factor_secret, passkeys }: Factors): Factors => ({ factor_secret, passkeys });

export const accountClaim = (account: string): Key => singleKey(`CLAIM#ADMIN_ACCOUNT#${account}`);

/** Holds an account of a provider for one administrator. @param issuer `*` for the right to all */
export const ssoClaim = (issuer: string, subject?: string): Key =>
  singleKey(
    `CLAIM#ADMIN_SSO#${subject === undefined ? issuer : hash('sha256', JSON.stringify([issuer, subject]), 'base64url')}`,
  );

/** The record of an account. An unknown account costs the same two reads. */
export async function findAdminByAccount(account: string): Promise<AdminRecord | undefined> {
  return findRow(adminRecords, { id: (await findClaim(accountClaim(account))) ?? 'unknown' });
}

/** `admins.ts` and logins write them. */
export const writtenKeys: ListWrittenKeys = () => [];
