import { findClaim, findRow, takeClaim } from '#shared/db/entity.ts';
import type { Write } from '#shared/db/items.ts';
import { changeItem } from '#shared/db/writes.ts';
import type { AppError } from '#shared/errors/app-error.ts';
import { admins, ssoClaim } from '../admins/admin-record.ts';
import systemErrors from '../errors.ts';

/** The change that binds an administrator who is not bound. */
export const bindTo = (issuer: string, subject: string) => ({
  set: { sso_issuer: issuer, sso_subject: subject, sso_since: new Date().toISOString() },
  expect: { status: 'enabled', sso_subject: undefined },
});

export const bound = (): AppError => systemErrors.create('sso.bound');

/** The write that takes an account of the provider for an administrator, also from one who was deleted. */
export async function takeAccount(issuer: string, subject: string, id: string): Promise<Write> {
  const claim = ssoClaim(issuer, subject);
  const holder = await findClaim(claim);
  const isUsual = holder === undefined || (await findRow(admins, { id: holder })) !== undefined;
  // A claim that another one holds fails.
  return isUsual
    ? takeClaim(claim, id, bound)
    : changeItem(claim, { set: { id }, expect: { id: holder } }, bound);
}
