import { getRow } from '#shared/db/entity.ts';
import { transact } from '#shared/db/items.ts';
import { type Change, changeItem } from '#shared/db/writes.ts';
import type { ListWrittenKeys } from '#shared/db/written-keys.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { readSettings } from '#shared/settings/store.ts';
import { type AdminRecord, adminRecords, admins, factorAttributes } from '../admins/admin-record.ts';
import { readWithPassword } from '../admins/confirm-password.ts';
import { login } from '../admins/settings.ts';
import systemErrors from '../errors.ts';
import { requireFactor } from './pass-factor.ts';
import { createRecoveryCodes } from './recovery-codes.ts';
import { confirmSetUp, createSetUp, type SetUp } from './set-up.ts';

// An administrator who is logged in changes the own factor with the password and, if there is one, with the factor.

interface OwnChange {
  password: string;
  code?: string | undefined;
}

/** The state of the own factor, without secrets. */
export async function describeFactor(id: string) {
  const { factor_since = null, factor_codes = [] } = await getRow(adminRecords, { id });
  const { two_factor: mode } = await readSettings(login);
  return { mode, since: factor_since, codes_left: factor_codes.length };
}

/**
 * Creates a secret, to set up a factor or to replace it.
 *
 * @throws AppError `request.invalid` for `body.password` or `body.code`; `factor.off`
 */
export async function beginSetUp(id: string, { password, code }: OwnChange): Promise<SetUp> {
  const record = await readWithPassword(id, password);
  const { two_factor: mode } = await readSettings(login);
  if (mode === 'off') throw systemErrors.create('factor.off');
  if (record.factor_secret !== undefined) await writeFactor(record, await requireFactor(record, code));
  return createSetUp(record);
}

/**
 * Stores the factor whose secret was created. @returns the recovery codes, which are shown once
 *
 * @throws AppError `request.invalid` for `body.setup` or `body.code`; `version_conflict`
 */
export async function storeSetUp(id: string, setup: string, code: string): Promise<{ codes: string[] }> {
  const record = await getRow(adminRecords, { id });
  const confirmed = await confirmSetUp(record, setup, code);
  await writeFactor(record, confirmed.change);
  return { codes: confirmed.codes };
}

/** Replaces all recovery codes. @throws AppError `factor.not_set`; as {@link beginSetUp} */
export async function renewCodes(id: string, { password, code }: OwnChange): Promise<{ codes: string[] }> {
  const record = await readWithPassword(id, password);
  const used = await requireFactor(record, code);
  const { codes, macs } = createRecoveryCodes(id);
  await writeFactor(record, { ...used, set: { ...used.set, factor_codes: macs } });
  return { codes };
}

/** Removes the own factor. @throws AppError `factor.not_set`, `factor.required`; as {@link beginSetUp} */
export async function removeOwnFactor(id: string, { password, code }: OwnChange): Promise<void> {
  const record = await readWithPassword(id, password);
  const { expect, atMost } = await requireFactor(record, code);
  const { two_factor: mode } = await readSettings(login);
  if (mode === 'required') throw systemErrors.create('factor.required');
  await writeFactor(record, { remove: factorAttributes, expect: { ...expect }, ...(atMost && { atMost }) });
}

/** Writes a change of the own factor. @throws AppError `version_conflict` if the factor was changed or used meanwhile */
async function writeFactor({ id, session_epoch }: AdminRecord, given: Change): Promise<void> {
  const guarded = { ...given, expect: { session_epoch, ...given.expect } };
  await transact([changeItem(admins.key({ id }), guarded, () => new AppError('version_conflict'))]);
}

/** The factor, never status or rights (decision 0035). */
export const writtenKeys: ListWrittenKeys = () => [
  {
    keys: admins.key({ id: '*' }).pk,
    actions: ['UpdateItem'],
    attributes: ['pk', 'sk', 'session_epoch', ...factorAttributes],
  },
];
