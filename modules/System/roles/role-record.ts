import * as z from 'zod/mini';
import { roleEntity } from '#shared/auth/principal.ts';
import { defineEntity } from '#shared/db/entity.ts';
import type { Write } from '#shared/db/items.ts';
import { beside } from '#shared/db/record-facts.ts';
import { changeItem } from '#shared/db/writes.ts';
import type { ListWrittenKeys } from '#shared/db/written-keys.ts';
import systemErrors from '../errors.ts';
import { roleData } from './schema.ts';

const row = z.object(roleData.shape);

export const roles = defineEntity({
  ...roleEntity,
  row,
  // The number of holders changes without a new version.
  revisions: { days: 200, row: z.omit(row, { admin_count: true }) },
  missing: () => systemErrors.create('role.not_found'),
});

/** Moves the number of administrators of each role. The write fails if a role does not exist. */
export const countHolders = (ids: readonly string[], by: 1 | -1): Write[] =>
  ids.map((id) =>
    changeItem(beside(roles.key({ id })), { add: { admin_count: by }, expect: {} }, roles.missing),
  );

/** Administrators get and lose roles; `roles.ts` writes the roles. */
export const writtenKeys: ListWrittenKeys = () => [
  { keys: roles.key({ id: '' }).pk, actions: ['UpdateItem'], attributes: ['pk', 'sk', 'admin_count'] },
];
