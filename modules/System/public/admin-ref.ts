import { adminEntity } from '#shared/auth/principal.ts';
import { recordRef } from '#shared/records/fields/record-ref.ts';

/** A field with the ID of an administrator, whose name everybody reads who reads the field. */
export const adminRef = () =>
  recordRef({
    folder: 'system/admin',
    key: adminEntity.key,
    labelOf: ({ name, account }) => String(name || account),
  });
