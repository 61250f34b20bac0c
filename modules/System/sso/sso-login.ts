import { identifyCaller } from '#shared/audit/recording.ts';
import type { LoginOrigin } from '#shared/auth/origin.ts';
import { unauthorized } from '#shared/auth/token.ts';
import { findClaim, findRow, takeClaim } from '#shared/db/entity.ts';
import type { ListWrittenKeys } from '#shared/db/written-keys.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { log } from '#shared/log/log.ts';
import { toPlainLine } from '#shared/schema/text.ts';
import { addAdmin } from '../admins/add-admin.ts';
import { type AdminRecord, adminRecords, ssoClaim } from '../admins/admin-record.ts';
import type { AdminLogin } from '../admins/begin-session.ts';
import systemErrors from '../errors.ts';
import { enterBySso, type LoginChallenge } from './enter.ts';
import { finishFlow, type SsoAnswer } from './flow.ts';
import type { SsoIdentity } from './provider.ts';

/**
 * Logs in the administrator to whom the account of the provider is bound. The factor of this service is asked for too.
 *
 * @throws AppError `auth.sso_invalid`, `auth.sso_unknown`, `auth.principal_disabled`, `sso.off`, `sso.provider_failed`
 */
export async function loginBySso(
  answer: SsoAnswer,
  origin: LoginOrigin,
): Promise<AdminLogin | LoginChallenge> {
  const identity = await finishFlow('login', answer);
  const record = (await findBound(identity)) ?? (await createBound(identity));
  identifyCaller(record);
  if (record.status !== 'enabled') throw unauthorized('auth.principal_disabled');
  return enterBySso(record, identity, origin);
}

async function findBound({ issuer, subject }: SsoIdentity): Promise<AdminRecord | undefined> {
  const id = await findClaim(ssoClaim(issuer, subject));
  const record = id === undefined ? undefined : await findRow(adminRecords, { id });
  return record?.sso_issuer === issuer && record.sso_subject === subject ? record : undefined;
}

/** Creates an administrator if the settings name a role, never a super administrator. @throws AppError `auth.sso_unknown` */
async function createBound(identity: SsoIdentity & { create: string }): Promise<AdminRecord> {
  const { issuer, subject, create, name } = identity;
  if (create === '') throw ssoUnknown();
  const claim = ssoClaim(issuer, subject);
  const account = `sso-${claim.pk.replace(/[^a-z0-9]/g, '').slice(-16)}`;
  const bound = { sso_issuer: issuer, sso_subject: subject, sso_since: new Date().toISOString() };
  const added = { account, name: toPlainLine(name, 50) || account, roleIds: [create] };
  try {
    await addAdmin(added, (id) => [takeClaim(claim, id, ssoUnknown)], bound);
  } catch (error) {
    // The role was deleted, or another request has just created the administrator.
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    log.warn('sso.not_created', { code: error.code, role: create });
  }
  const record = await findBound(identity);
  if (!record) throw ssoUnknown();
  return record;
}

const ssoUnknown = () => systemErrors.create('auth.sso_unknown');

/** Accounts of the provider; `add-admin.ts` writes the administrators. */
export const writtenKeys: ListWrittenKeys = () => [{ keys: ssoClaim('*').pk, actions: ['PutItem'] }];
