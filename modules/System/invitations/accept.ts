import { identifyCaller } from '#shared/audit/recording.ts';
import type { LoginOrigin } from '#shared/auth/origin.ts';
import { hashPassword } from '#shared/auth/password.ts';
import { isPermitted, type Permission } from '#shared/auth/permission.ts';
import { adminPrincipals } from '#shared/auth/principal.ts';
import { nowSeconds } from '#shared/auth/session.ts';
import { isEqual } from '#shared/crypto/equal.ts';
import { getRow } from '#shared/db/entity.ts';
import { transact, type Write } from '#shared/db/items.ts';
import { type Change, changeItem } from '#shared/db/writes.ts';
import type { ListWrittenKeys } from '#shared/db/written-keys.ts';
import { AppError } from '#shared/errors/app-error.ts';
import {
  type AdminRecord,
  adminRecords,
  admins,
  findAdminByAccount,
  invitationAttributes,
  ssoAttributes,
  ssoClaim,
} from '../admins/admin-record.ts';
import { countFirstPassword, endAll } from '../admins/admin-writes.ts';
import systemErrors from '../errors.ts';
import { assertNewPassword } from '../public/new-password.ts';
import { holdsAll } from '../roles/rights.ts';
import { bindTo, takeAccount } from '../sso/bound.ts';
import { enterAdmin, enterBySso } from '../sso/enter.ts';
import { finishFlow, type SsoAnswer } from '../sso/flow.ts';
import { hashSecret } from './hash-secret.ts';

const invitePath = 'system/admin/invite';

interface Acceptance {
  invitation: string;
  /** What comes in place of a password. */
  sso?: SsoAnswer | undefined;
  password?: string | undefined;
  origin: LoginOrigin;
}

/**
 * Accepts an invitation, by a first password or by an account of the provider, and logs the administrator in.
 *
 * @param permissions of all enabled modules
 * @throws AppError `auth.invitation_invalid`, also if it was used or replaced meanwhile; `request.invalid` for
 *   `body.password`; `auth.sso_invalid`, `sso.bound`, `sso.off`, `sso.provider_failed`
 */
export async function acceptInvitation(
  { invitation, password, sso, origin }: Acceptance,
  permissions: readonly Permission[],
) {
  const record = await openInvitation(invitation, permissions);
  if (sso) {
    const identity = await finishFlow('invitation', sso);
    const { issuer, subject } = identity;
    const claim = await takeAccount(issuer, subject, record.id);
    const change = { set: bindTo(issuer, subject).set, expect: { sso_subject: undefined } };
    return enterBySso(await accept(record, change, [claim]), identity, origin);
  }
  if (password === undefined) {
    throw new AppError('request.invalid', {
      errors: [{ path: 'body.password', message: 'rule.first_password' }],
    });
  }
  await assertNewPassword(password, record.account);
  const change = { set: { password_hash: await hashPassword(password) }, remove: ['has_password'] };
  return enterAdmin(await accept(record, change, countFirstPassword(record)), origin);
}

/** @throws AppError `auth.invitation_invalid`, for every reason */
async function openInvitation(text: string, permissions: readonly Permission[]): Promise<AdminRecord> {
  const [, account = '', secret = ''] = /^([a-z0-9_.-]+)\.([\w-]+)$/.exec(text) ?? [];
  const record = await findAdminByAccount(account);
  const { invitation_hash = '', invitation_end = 0, invited_by = '' } = record ?? {};
  const isRight = isEqual(hashSecret(secret), invitation_hash);
  if (!record || !isRight || invitation_end <= nowSeconds()) throw invitationInvalid();
  identifyCaller(record);
  if (record.status !== 'enabled' || record.has_password) throw invitationInvalid();
  if (!(await mayInvite(invited_by, record, permissions))) throw invitationInvalid();
  return record;
}

/** Whether who has invited could still do it: is enabled, may invite, and has all rights of the invited. */
async function mayInvite(
  inviterId: string,
  invited: AdminRecord,
  permissions: readonly Permission[],
): Promise<boolean> {
  const inviter = (await adminPrincipals.getOne(inviterId))?.principal;
  const permission = permissions.find(({ path }) => path === invitePath);
  if (inviter?.status !== 'enabled' || !permission || !isPermitted(inviter, permission)) return false;
  try {
    await holdsAll(inviter, permissions)?.(invited);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'role.exceeds') return false;
    throw error;
  }
}

/** Writes the acceptance. @returns the administrator after it */
async function accept(
  record: AdminRecord,
  { set, remove = [], expect }: Change,
  more: readonly Write[],
): Promise<AdminRecord> {
  const { invitation_hash } = record;
  const change = {
    set,
    // A challenge from before it ends.
    add: endAll.add,
    remove: [...remove, ...endAll.remove, ...invitationAttributes],
    // A change of rights or status also raises the epoch or removes the invitation. To name them here, the function
    // would need the right to write them.
    expect: { ...expect, session_epoch: record.session_epoch, has_password: false, invitation_hash },
  };
  await transact([changeItem(admins.key(record), change, invitationInvalid), ...more]);
  return getRow(adminRecords, record);
}

const invitationInvalid = () => systemErrors.create('auth.invitation_invalid');

const own = ['pk', 'sk', 'has_password', 'password_hash', 'session_epoch', 'token_epoch'];

/** Password or binding of who is invited: never status or rights (decision 0035). */
export const writtenKeys: ListWrittenKeys = () => [
  {
    keys: admins.key({ id: '*' }).pk,
    actions: ['UpdateItem'],
    attributes: [...own, ...invitationAttributes, ...ssoAttributes],
  },
  { keys: ssoClaim('*').pk, actions: ['PutItem', 'UpdateItem'] },
];
