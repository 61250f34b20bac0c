import { getRow } from '#shared/db/entity.ts';
import { transact, type Write } from '#shared/db/items.ts';
import { type Attributes, type Change, changeItem } from '#shared/db/writes.ts';
import type { ListWrittenKeys } from '#shared/db/written-keys.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { readSettings } from '#shared/settings/store.ts';
import {
  type AdminRecord,
  adminRecords,
  admins,
  factorAttributes,
  hasFactor,
  sameFactors,
} from '../admins/admin-record.ts';
import { readWithPassword } from '../admins/confirm-password.ts';
import { login } from '../admins/settings.ts';
import systemErrors from '../errors.ts';
import { type Proof, requireFactor, type UsedFactor } from './pass-factor.ts';
import { createRecoveryCodes } from './recovery-codes.ts';
import { confirmSetUp, createSetUp, type FirstProof, type SetUpMethod } from './set-up.ts';

// An administrator who is logged in changes the own factor with the password and, if there is one, with the factor.

interface OwnChange extends Proof {
  password: string;
}

/**
 * Begins to set up an app, or to replace it, or to add a passkey.
 *
 * @throws AppError `request.invalid` for `body.password`, `body.code` or `body.passkey`; `factor.off`,
 *   `passkey.too_many`
 */
export async function beginSetUp(
  id: string,
  { password, method, ...proof }: OwnChange & { method: SetUpMethod },
) {
  const record = await readWithPassword(id, password);
  const { two_factor: mode } = await readSettings(login);
  if (mode === 'off') throw systemErrors.create('factor.off');
  if (hasFactor(record)) await writeFactor(record, await requireFactor(record, proof));
  return createSetUp(record, method);
}

/**
 * Stores the factor whose set-up was begun. @returns the recovery codes, which are shown once; none if the old ones stay
 *
 * @throws AppError as `confirmSetUp`; `version_conflict`
 */
export async function storeSetUp(id: string, proof: FirstProof): Promise<{ codes: string[] }> {
  const record = await getRow(adminRecords, { id });
  const { codes, change } = await confirmSetUp(record, proof);
  await writeFactor(record, { change });
  return { codes };
}

/** Replaces all recovery codes. @throws AppError `factor.not_set`; as {@link beginSetUp} */
export async function renewCodes(
  id: string,
  { password, ...proof }: OwnChange,
): Promise<{ codes: string[] }> {
  const record = await readWithPassword(id, password);
  const { change, writes } = await requireFactor(record, proof);
  const { codes, macs } = createRecoveryCodes(id);
  await writeFactor(record, { change: { ...change, set: { ...change.set, factor_codes: macs } }, writes });
  return { codes };
}

/**
 * Removes a passkey, or the app; with the last of them the recovery codes too.
 *
 * @param id of the passkey; undefined for the app
 * @throws AppError `factor.not_set`, `factor.required`, `passkey.not_found`; as {@link beginSetUp}
 */
export async function removeOwnFactor(
  adminId: string,
  { password, id, ...proof }: OwnChange & { id?: string | undefined },
): Promise<void> {
  const record = await readWithPassword(adminId, password);
  const { change, writes } = await requireFactor(record, proof);
  const removal = removeOne({ ...record, ...change.set }, id);
  const { two_factor: mode } = await readSettings(login);
  if (mode === 'required' && removal.isLast) throw systemErrors.create('factor.required');
  const set = Object.entries({ ...change.set, ...removal.set }).filter(
    ([name]) => !removal.remove.includes(name),
  );
  const expect = { ...sameFactors(record), ...change.expect };
  await writeFactor(record, {
    change: { ...change, set: Object.fromEntries(set), remove: removal.remove, expect },
    writes,
  });
}

/** What is left of a record without its app, or without a passkey. */
function removeOne(
  record: AdminRecord,
  passkeyId: string | undefined,
): { isLast: boolean; set: Attributes; remove: readonly string[] } {
  const { factor_secret, passkeys = [] } = record;
  const isFound =
    passkeyId === undefined ? factor_secret !== undefined : passkeys.some(({ id }) => id === passkeyId);
  if (!isFound) throw systemErrors.create(passkeyId === undefined ? 'factor.not_set' : 'passkey.not_found');
  if (passkeyId === undefined) {
    const isLast = passkeys.length === 0;
    return { isLast, set: {}, remove: isLast ? factorAttributes : appAttributes };
  }
  const left = passkeys.filter(({ id }) => id !== passkeyId);
  if (left.length > 0) return { isLast: false, set: { passkeys: left }, remove: [] };
  const isLast = factor_secret === undefined;
  return { isLast, set: {}, remove: isLast ? factorAttributes : ['passkeys'] };
}
const appAttributes: readonly string[] = ['factor_secret', 'factor_since', 'factor_step'];

/** Writes a change of the own factor. @throws AppError `version_conflict` if the factor was changed or used meanwhile */
async function writeFactor(
  { id, session_epoch }: AdminRecord,
  { change, writes = [] }: { change: Change; writes?: Write[] } | UsedFactor,
): Promise<void> {
  const guarded = { ...change, expect: { session_epoch, ...change.expect } };
  await transact([
    changeItem(admins.key({ id }), guarded, () => new AppError('version_conflict')),
    ...writes,
  ]);
}

/** The factor, never status or rights (decision 0035). */
export const writtenKeys: ListWrittenKeys = () => [
  'LOGIN_CHALLENGE#*',
  {
    keys: admins.key({ id: '*' }).pk,
    actions: ['UpdateItem'],
    attributes: ['pk', 'sk', 'session_epoch', ...factorAttributes],
  },
];
