import * as z from 'zod/mini';
import { addRole, deleteRole, editRole, listRoles } from '#modules/System/roles/roles.ts';
import { grants, roleName, roleRemark } from '#modules/System/roles/schema.ts';
import { versionConflict } from '#shared/db/entity.ts';
import { addDictItem, deleteDictItem, editDictItem } from '#shared/dict/items.ts';
import { newDictItem, newDictType } from '#shared/dict/schema.ts';
import { addDictType, deleteDictType, editDictType } from '#shared/dict/types.ts';
import { label } from '#shared/schema/marks.ts';
import { createSaveSchema, saveSettings } from '#shared/settings/save.ts';
import { explain } from '../command.ts';
import { recordCommand } from '../record-command.ts';
import { type Change, verbOf } from './changes.ts';

/**
 * Makes the changes of a plan, one record at a time, each with an entry in the audit log. A record is written only if
 * it is as the plan has seen it. A repeat with a new plan goes on after an interruption.
 *
 * @param requestId of the entries
 * @param onDone called after each change
 * @throws Error with the name of the record that cannot be written; those before it are written
 */
export async function applyChanges(
  changes: readonly Change[],
  requestId: string,
  onDone: (change: Change) => void,
): Promise<void> {
  for (const change of changes) {
    try {
      await applyChange(change, requestId);
    } catch (error) {
      throw new Error(`${change.record} was not written: ${explain(error)}`, { cause: error });
    }
    onDone(change);
  }
}

const verb = z.enum(['add', 'change', 'remove']);
const typeInput = z.extend(z.partial(newDictType), { verb });
const itemInput = z.extend(z.partial(newDictItem), { verb });
const roleInput = z.extend(z.partial(z.object({ name: roleName, remark: roleRemark, grants })), { verb });

/** Writes one record with the functions of the routes. */
function applyChange(change: Change, requestId: string): Promise<void> {
  const record = <Schema extends z.core.$ZodType>(
    schema: Schema,
    input: z.output<Schema>,
    work: () => Promise<void>,
  ) => recordCommand('config:apply', schema, input, work, { requestId });
  const verb = verbOf(change);
  switch (change.kind) {
    case 'type': {
      const input = { verb, ...(change.now ?? { type_key: change.old?.type_key }) };
      return record(typeInput, input, () => writeType(change));
    }
    case 'item': {
      const { type_key, now, old } = change;
      const input = { verb, type_key, ...(now ?? { value: old?.value }) };
      return record(itemInput, input, () => writeItem(change));
    }
    case 'role':
      return record(roleInput, { verb, ...(change.now ?? { name: change.old?.name }) }, () =>
        writeRole(change),
      );
    case 'settings': {
      const { group, stored } = change.old;
      const schema = z.object({ group: label(z.string()), values: createSaveSchema(group, change.now) });
      return record(schema, { group: group.name, values: change.now }, () =>
        saveSettings(group, change.now, group.name, stored),
      );
    }
  }
}

type ChangeOf<Kind extends Change['kind']> = Extract<Change, { kind: Kind }>;

async function writeType({ old, now }: ChangeOf<'type'>): Promise<void> {
  if (!now) return old && deleteDictType(old.type_key, old.version);
  const { type_key, ...fields } = now;
  await (old ? editDictType(type_key, old.version, fields) : addDictType(now));
}

async function writeItem({ type_key, old, now }: ChangeOf<'item'>): Promise<void> {
  if (!now) return old && deleteDictItem(type_key, old.value, false, old.version);
  const { value, ...fields } = now;
  await (old ? editDictItem(type_key, value, old.version, fields) : addDictItem({ type_key, ...now }));
}

async function writeRole({ old, now }: ChangeOf<'role'>): Promise<void> {
  if (!now) return old && deleteRole(old.id, old);
  if (old) await editRole(old, old.version, now);
  else {
    // Names of roles are not unique in the table.
    if ((await listRoles()).some(({ name }) => name === now.name)) throw versionConflict();
    await addRole(now);
  }
}
