import { nowSeconds, sessionEntity } from '#shared/auth/session.ts';
import { getRow } from '#shared/db/entity.ts';
import { transact } from '#shared/db/items.ts';
import { changeItem } from '#shared/db/writes.ts';
import type { ListWrittenKeys } from '#shared/db/written-keys.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { adminRecords, admins } from '../admins/admin-record.ts';
import { type Proof, requireFactor } from './pass-factor.ts';

/**
 * Records in a session that the second factor was given now. The code or challenge is used up.
 *
 * @throws AppError `factor.not_set`; `request.invalid` for `body.code` or `body.passkey`; `version_conflict` if it was
 *   used meanwhile
 */
export async function giveFactor(adminId: string, sessionId: string, proof: Proof): Promise<void> {
  const record = await getRow(adminRecords, { id: adminId });
  const { change, writes } = await requireFactor(record, proof);
  const refuse = () => new AppError('version_conflict');
  await transact([
    changeItem(admins.key({ id: adminId }), change, refuse),
    ...writes,
    // Whose session it is, the gate has read. A condition on it would need the right to change that too.
    changeItem(sessionEntity.key({ id: sessionId }), { set: { factorAt: nowSeconds() }, expect: {} }, refuse),
  ]);
}

/** The last step, the recovery codes or the passkey, and the session. */
export const writtenKeys: ListWrittenKeys = () => [
  'LOGIN_CHALLENGE#*',
  {
    keys: admins.key({ id: '*' }).pk,
    actions: ['UpdateItem'],
    attributes: ['pk', 'sk', 'factor_secret', 'factor_step', 'factor_codes', 'passkeys'],
  },
  {
    keys: sessionEntity.key({ id: '*' }).pk,
    actions: ['UpdateItem'],
    attributes: ['pk', 'sk', 'factorAt'],
  },
];
