import * as z from 'zod/mini';
import { getRow } from '#shared/db/entity.ts';
import type { ListWrittenKeys } from '#shared/db/written-keys.ts';
import { label } from '#shared/schema/marks.ts';
import { titled } from '#shared/schema/titled.ts';
import { readSettings } from '#shared/settings/store.ts';
import { adminRecords, hasFactor } from '../admins/admin-record.ts';
import { login } from '../admins/settings.ts';
import systemErrors from '../errors.ts';

// What an administrator reads of the own factor.

/** ID of a passkey's credential. */
export const passkeyId = titled(
  { zh_CN: '编号', en: 'ID', type: 'id' },
  label(z.string().check(z.minLength(1), z.maxLength(1400))),
);

/** A passkey as answered: never its key. */
export const passkeyData = z.strictObject({
  id: passkeyId,
  name: titled({ zh_CN: '名称', en: 'Name' }, z.string()),
  created_at: titled({ zh_CN: '新增时间', en: 'Added' }, z.iso.datetime()),
  last_used_at: titled({ zh_CN: '最近使用', en: 'Last used' }, z.nullable(z.iso.datetime())),
});

/** The state of the own factor, without secrets. */
export async function describeFactor(adminId: string) {
  const { factor_since, factor_codes = [], passkeys = [] } = await getRow(adminRecords, { id: adminId });
  const { two_factor: mode } = await readSettings(login);
  return {
    mode,
    since: factor_since ?? null,
    passkeys: passkeys.map(({ id, name, created_at, last_used_at }) => ({
      id,
      name,
      created_at,
      last_used_at,
    })),
    codes_left: factor_codes.length,
  };
}

/** A challenge for the own factor. @throws AppError `factor.not_set` */
export async function createOwnChallenge(id: string) {
  const record = await getRow(adminRecords, { id });
  if (!hasFactor(record)) throw systemErrors.create('factor.not_set');
  const { createChallenge } = await import('./login-challenge.ts');
  return createChallenge(record, 'own');
}

export const writtenKeys: ListWrittenKeys = () => [];
