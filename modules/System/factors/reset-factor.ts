import { getRow } from '#shared/db/entity.ts';
import { transact } from '#shared/db/items.ts';
import { changeItem } from '#shared/db/writes.ts';
import type { ListWrittenKeys } from '#shared/db/written-keys.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { adminRecords, admins, factorAttributes, hasFactor, sameFactors } from '../admins/admin-record.ts';
import { endAll } from '../admins/admin-writes.ts';
import systemErrors from '../errors.ts';

/**
 * Removes the second factor of an administrator who has lost it. All sessions and tokens end, as after a new password.
 *
 * @throws AppError `admin.not_found`, `factor.not_set`; `version_conflict` if the factor was changed meanwhile
 */
export async function resetFactor(id: string): Promise<void> {
  const record = await getRow(adminRecords, { id });
  if (!hasFactor(record)) throw systemErrors.create('factor.not_set');
  const remove = [...endAll.remove, ...factorAttributes];
  const change = { ...endAll, remove, expect: { ...sameFactors(record) } };
  await transact([changeItem(admins.key({ id }), change, () => new AppError('version_conflict'))]);
}

/** The factor and the epochs, never status or rights. */
export const writtenKeys: ListWrittenKeys = () => [
  {
    keys: admins.key({ id: '*' }).pk,
    actions: ['UpdateItem'],
    attributes: ['pk', 'sk', 'session_epoch', 'token_epoch', ...factorAttributes],
  },
];
