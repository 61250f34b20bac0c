import { ulid } from 'ulid';
import { hashPassword } from '#shared/auth/password.ts';
import { type AdminPrincipal, adminPrincipals, toAdmin } from '#shared/auth/principal.ts';
import { decodeCursor, encodeCursor } from '#shared/db/cursor.ts';
import { ConditionError } from '#shared/db/errors.ts';
import { getItem, type Item, queryPage, transact, type Write } from '#shared/db/items.ts';
import { indexes, keys } from '#shared/db/keys.ts';
import { setAttributes } from '#shared/db/update.ts';
import { AppError } from '#shared/errors/app-error.ts';
import systemErrors from '../errors.ts';

export interface NewAdmin {
  account: string;
  name: string;
  password: string;
  avatar?: string;
}
export type AdminChanges = Partial<Pick<AdminPrincipal, 'name' | 'avatar' | 'status'>>;

/** The stored administrator with hash and epoch; for `shared/auth` and the login only. */
export async function getAdminItem(id: string): Promise<Item> {
  const item = await getItem(keys.admin(id));
  if (!item) throw systemErrors.create('admin.not_found');
  return item;
}

/** @throws AppError `admin.not_found` */
export async function getAdmin(id: string): Promise<AdminPrincipal> {
  return toAdmin(await getAdminItem(id));
}

/** The write that moves the number of enabled administrators; its condition keeps the last one. */
const countEnabled = (by: 1 | -1): Write => ({
  Update: {
    Key: { ...keys.counter('ADMIN_ENABLED') },
    UpdateExpression: 'ADD #count :by',
    ExpressionAttributeNames: { '#count': 'count' },
    ExpressionAttributeValues: { ':by': by, ...(by < 0 && { ':one': 1 }) },
    ...(by < 0 && { ConditionExpression: '#count > :one' }),
  },
});

/** How many administrators are enabled, from their counter. */
export async function countEnabledAdmins(): Promise<number> {
  const counter = await getItem(keys.counter('ADMIN_ENABLED'));
  return Number(counter?.count ?? 0);
}

/** @throws AppError `admin.account_exists` */
export async function addAdmin({ account, name, password, avatar = '' }: NewAdmin): Promise<AdminPrincipal> {
  const id = ulid();
  const admin: AdminPrincipal = {
    id,
    account,
    name,
    avatar,
    status: 'enabled',
    last_login_at: null,
    last_login_ip: null,
    created_at: new Date().toISOString(),
  };
  const item = {
    ...keys.admin(id),
    ...admin,
    password_hash: await hashPassword(password),
    session_epoch: 1,
    gsi1pk: indexes.adminsByCreation.pk,
    gsi1sk: id,
    gsi2pk: indexes.adminsByAccount.pk,
    gsi2sk: account,
  };
  const claim = { ...keys.adminAccount(account), id };
  const isNew = { ConditionExpression: 'attribute_not_exists(pk)' };
  try {
    await transact([{ Put: { Item: claim, ...isNew } }, { Put: { Item: item, ...isNew } }, countEnabled(1)]);
  } catch (error) {
    if (error instanceof ConditionError) throw systemErrors.create('admin.account_exists');
    throw error;
  }
  await adminPrincipals.invalidate([id]);
  return admin;
}

/**
 * Changes an administrator; disabling raises the epoch, which ends every session.
 *
 * @throws AppError `admin.not_found`, `admin.last_enabled`, `version_conflict` when the status changed meanwhile
 */
export async function editAdmin(id: string, changes: AdminChanges): Promise<AdminPrincipal> {
  const old = await getAdmin(id);
  const isStatusChange = changes.status !== undefined && changes.status !== old.status;
  const { UpdateExpression, ExpressionAttributeNames, ExpressionAttributeValues } = setAttributes({
    ...changes,
    status: changes.status ?? old.status,
  });
  const isDisabling = isStatusChange && changes.status === 'disabled';
  const update: Write = {
    Update: {
      Key: { ...keys.admin(id) },
      UpdateExpression: isDisabling ? `${UpdateExpression} ADD session_epoch :one` : UpdateExpression,
      ConditionExpression: '#status = :old',
      ExpressionAttributeNames,
      ExpressionAttributeValues: {
        ...ExpressionAttributeValues,
        ':old': old.status,
        ...(isDisabling && { ':one': 1 }),
      },
    },
  };
  await write(id, [update, ...(isStatusChange ? [countEnabled(isDisabling ? -1 : 1)] : [])]);
  return getAdmin(id);
}

/**
 * Deletes an administrator and frees the account.
 *
 * @throws AppError `admin.not_found`, `admin.last_enabled`, `version_conflict` when the status changed meanwhile
 */
export async function deleteAdmin(id: string): Promise<void> {
  const { account, status } = await getAdmin(id);
  const removal: Write = {
    Delete: {
      Key: { ...keys.admin(id) },
      ConditionExpression: '#status = :old',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: { ':old': status },
    },
  };
  const claim: Write = { Delete: { Key: { ...keys.adminAccount(account) } } };
  await write(id, status === 'enabled' ? [removal, countEnabled(-1), claim] : [removal, claim]);
}

/**
 * Sets a password; every session of the administrator ends.
 *
 * @param epoch the one of the password that it takes the place of; any where absent
 * @throws AppError `admin.not_found`; `version_conflict` when the epoch is another
 */
export async function setAdminPassword(id: string, password: string, epoch?: number): Promise<void> {
  const update: Write = {
    Update: {
      Key: { ...keys.admin(id) },
      UpdateExpression: 'SET password_hash = :hash ADD session_epoch :one',
      // Whoever changed the password first raised the epoch too.
      ConditionExpression: epoch === undefined ? 'attribute_exists(pk)' : 'session_epoch = :epoch',
      ExpressionAttributeValues: {
        ':hash': await hashPassword(password),
        ':one': 1,
        ...(epoch !== undefined && { ':epoch': epoch }),
      },
    },
  };
  await write(id, [update]);
}

/** Runs the writes of one administrator, first the record's, then the counter's. */
async function write(id: string, writes: Write[]): Promise<void> {
  try {
    await transact(writes);
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error;
    await getAdmin(id);
    throw error.failed.includes(0)
      ? new AppError('version_conflict')
      : systemErrors.create('admin.last_enabled');
  } finally {
    await adminPrincipals.invalidate([id]);
  }
}

/** A page of administrators, newest first, or those whose account begins with `account`, by account. */
export async function listAdmins(query: {
  limit: number;
  cursor?: string;
  account?: string;
}): Promise<{ list: AdminPrincipal[]; next_cursor: string | null }> {
  const { limit, cursor, account } = query;
  const scope = `admins ${JSON.stringify(account ?? null)}`;
  const index = account === undefined ? indexes.adminsByCreation : indexes.adminsByAccount;
  const prefix = account && ` AND begins_with(${index.name}sk, :prefix)`;
  const { items, last } = await queryPage({
    IndexName: index.name,
    KeyConditionExpression: `${index.name}pk = :pk${prefix ?? ''}`,
    ExpressionAttributeValues: { ':pk': index.pk, ...(account && { ':prefix': account }) },
    ScanIndexForward: account !== undefined,
    Limit: limit,
    ExclusiveStartKey: decodeCursor(cursor, scope),
  });
  return { list: items.map(toAdmin), next_cursor: encodeCursor(last, scope) };
}
