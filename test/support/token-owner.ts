import { adminRecords } from '#modules/System/admins/admin-record.ts';
import type { TokenOwner } from '#modules/System/admins/api-tokens.ts';
import { getRow } from '#shared/db/entity.ts';

/** An administrator who creates tokens now. */
export async function ownerOf(id: string): Promise<TokenOwner> {
  const { session_epoch: epoch } = await getRow(adminRecords, { id });
  return { id, epoch };
}
