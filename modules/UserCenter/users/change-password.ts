import { assertNewPassword } from '#modules/System/public/new-password.ts';
import { assertOldPassword } from '#modules/System/public/old-password.ts';
import { getUserRecord, users } from '#modules/System/public/user-records.ts';
import { hashPassword } from '#shared/auth/password.ts';
import { sessionEntity } from '#shared/auth/session.ts';
import { unauthorized } from '#shared/auth/token.ts';
import { versionConflict } from '#shared/db/entity.ts';
import { transact } from '#shared/db/items.ts';
import { changeItem } from '#shared/db/writes.ts';
import type { ListWrittenKeys } from '#shared/db/written-keys.ts';

/**
 * Sets a user's password and ends every session except the current one. A user with a password must give it.
 *
 * @throws AppError `request.invalid` for the old one, or for a new one that is easy to guess; `user.not_found`; `auth.token_revoked`; `version_conflict`
 */
export async function changePassword(
  id: string,
  { password, oldPassword = '', sessionId }: { password: string; oldPassword?: string; sessionId: string },
): Promise<void> {
  const { user, mobile, session_epoch, password_hash } = await getUserRecord(id);
  if (password_hash !== undefined) await assertOldPassword(oldPassword, password_hash);
  await assertNewPassword(password, mobile);
  const next = session_epoch + 1;
  const hash = await hashPassword(password);
  const writes = [
    changeItem(
      users.key(user),
      { set: { password_hash: hash, session_epoch: next }, expect: { session_epoch } },
      versionConflict,
    ),
    // Fails if the session was revoked after the gates.
    changeItem(
      sessionEntity.key({ id: sessionId }),
      { set: { epoch: next }, expect: { epoch: session_epoch } },
      () => unauthorized('auth.token_revoked'),
    ),
  ];
  await transact(writes);
}

export const writtenKeys: ListWrittenKeys = () => [
  {
    keys: sessionEntity.key({ id: '*' }).pk,
    actions: ['UpdateItem'],
    attributes: ['pk', 'sk', 'epoch'],
  },
];
