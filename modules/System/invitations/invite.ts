import { randomBytes } from 'node:crypto';
import { nowSeconds } from '#shared/auth/session.ts';
import { environment } from '#shared/config/environment.ts';
import { getRow } from '#shared/db/entity.ts';
import { transact } from '#shared/db/items.ts';
import { changeItem } from '#shared/db/writes.ts';
import type { ListWrittenKeys } from '#shared/db/written-keys.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { addAdmin, type NewAdmin } from '../admins/add-admin.ts';
import {
  type Admin,
  type AdminRecord,
  admins,
  findAdminByAccount,
  invitationAttributes,
} from '../admins/admin-record.ts';
import { unchanged } from '../admins/admin-writes.ts';
import type { Check } from '../admins/admins.ts';
import systemErrors from '../errors.ts';
import { hashSecret } from './hash-secret.ts';

// An invited administrator exists, with the rights, and without a password: who may change administrators sees and
// changes them as others. The link of the invitation leads to the first password, or to an account of the provider.

const lifetimeSeconds = 3 * 86_400;

export interface Invitation {
  id: string;
  url: string;
  expires_at: string;
}

/**
 * Invites an administrator. For one who has no password, the new link replaces the former.
 *
 * @param invitedBy ID of the administrator who invites
 * @param check throws if that administrator may not change one who exists
 * @throws AppError `admin.account_exists` if such an administrator has a password; `role.not_found`, `version_conflict`
 */
export async function invite(input: NewAdmin, invitedBy: string, check?: Check): Promise<Invitation> {
  const secret = randomBytes(24).toString('base64url');
  const end = nowSeconds() + lifetimeSeconds;
  const invitation = { invitation_hash: hashSecret(secret), invitation_end: end, invited_by: invitedBy };
  const old = await findAdminByAccount(input.account);
  const admin = old ? await renew(old, invitation, check) : await addAdmin(input, [], invitation);
  return {
    id: admin.id,
    // The part behind # is sent to no server, and is in no log.
    url: `${environment().publicUrl}/console/invitation#${admin.account}.${secret}`,
    expires_at: new Date(end * 1000).toISOString(),
  };
}

async function renew(old: AdminRecord, set: Partial<AdminRecord>, check?: Check): Promise<Admin> {
  // An account of the provider is a login too: no other may add a password to it.
  if (old.has_password || old.sso_subject !== undefined || old.status !== 'enabled')
    throw systemErrors.create('admin.account_exists');
  await check?.(old);
  const refusal = () => new AppError('version_conflict');
  await transact([
    changeItem(admins.key(old), { set, expect: { ...unchanged(old), sso_subject: undefined } }, refusal),
  ]);
  return getRow(admins, old);
}

/** A new link for an administrator who exists; `add-admin.ts` writes new ones. */
export const writtenKeys: ListWrittenKeys = () => [
  {
    keys: admins.key({ id: '*' }).pk,
    actions: ['UpdateItem'],
    attributes: ['pk', 'sk', ...readAttributes, ...invitationAttributes],
  },
];
const readAttributes = ['status', 'super', 'role_ids', 'has_password', 'sso_subject'];
