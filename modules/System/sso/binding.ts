import { settleAll } from '#shared/async/settle-all.ts';
import { getRow } from '#shared/db/entity.ts';
import { transact } from '#shared/db/items.ts';
import { changeItem, removeItem } from '#shared/db/writes.ts';
import type { ListWrittenKeys } from '#shared/db/written-keys.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { readSettings } from '#shared/settings/store.ts';
import { adminRecords, admins, ssoAttributes, ssoClaim } from '../admins/admin-record.ts';
import { endAll } from '../admins/admin-writes.ts';
import { assertPassword, readWithPassword } from '../admins/confirm-password.ts';
import systemErrors from '../errors.ts';
import { bindTo, bound, takeAccount } from './bound.ts';
import { beginFlow, finishFlow, type SsoAnswer } from './flow.ts';
import { oidc } from './settings.ts';

// An administrator who is logged in binds the own account to one of the provider.

/** The own binding. */
export async function describeBinding(id: string) {
  const [record, settings] = await settleAll([getRow(adminRecords, { id }), readSettings(oidc)]);
  const { sso_issuer: issuer = null, sso_since: since = null, has_password } = record;
  return { issuer, since, has_password, available: settings.issuer !== '' && settings.client_id !== '' };
}

/** @throws AppError `request.invalid` for `body.password`; `sso.bound`, `sso.off`, `sso.provider_failed` */
export async function beginBinding(id: string, password: string): Promise<{ url: string; flow: string }> {
  const { sso_subject } = await readWithPassword(id, password);
  if (sso_subject !== undefined) throw bound();
  return beginFlow('bind', id);
}

/**
 * Binds the account with which the administrator has logged in at the provider.
 *
 * @throws AppError `sso.bound`, `auth.sso_invalid`, `sso.off`, `sso.provider_failed`
 */
export async function bindAccount(id: string, answer: SsoAnswer): Promise<void> {
  const { issuer, subject } = await finishFlow('bind', answer, id);
  await transact([
    changeItem(admins.key({ id }), bindTo(issuer, subject), bound),
    await takeAccount(issuer, subject, id),
  ]);
}

/** @throws AppError `request.invalid` for `body.password`; `sso.needs_password`, `sso.not_bound`, `version_conflict` */
export async function unbindAccount(id: string, password: string): Promise<void> {
  const record = await getRow(adminRecords, { id });
  if (!record.has_password) throw systemErrors.create('sso.needs_password');
  await assertPassword(record, password);
  const { sso_issuer, sso_subject, session_epoch, token_epoch = session_epoch } = record;
  if (sso_issuer === undefined || sso_subject === undefined) throw systemErrors.create('sso.not_bound');
  // Logins by the provider end, as all others; API tokens and connections stay.
  const change = {
    add: endAll.add,
    set: { token_epoch },
    remove: ssoAttributes,
    expect: { sso_issuer, sso_subject, session_epoch },
  };
  await transact([
    changeItem(admins.key({ id }), change, () => new AppError('version_conflict')),
    removeItem(ssoClaim(sso_issuer, sso_subject), { expect: { id } }),
  ]);
}

/** The binding, never status or rights (decision 0035). */
export const writtenKeys: ListWrittenKeys = () => [
  {
    keys: admins.key({ id: '*' }).pk,
    actions: ['UpdateItem'],
    attributes: ['pk', 'sk', 'status', 'session_epoch', 'token_epoch', ...ssoAttributes],
  },
  ssoClaim('*').pk,
];
