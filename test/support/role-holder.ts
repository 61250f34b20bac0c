import { ulid } from 'ulid';
import { adminRecords } from '#modules/System/admins/admin-record.ts';
import { roles } from '#modules/System/roles/role-record.ts';
import { prepareSession } from '#shared/auth/new-session.ts';
import { putRow } from '#shared/db/entity.ts';
import { deleteItem, transact } from '#shared/db/items.ts';
import { withoutRevisions } from '#shared/db/revisions/keep.ts';

/** An administrator with one role, for tests that need hundreds: the counters of the service do not know them. */
export interface RoleHolder {
  id: string;
  /** Header of a new login. */
  logIn(): Promise<string>;
  /** Deletes the role, which the service itself refuses while an administrator holds it. */
  deleteRole(): Promise<void>;
}

export async function createRoleHolder(
  grants: readonly string[],
  { isSuper = false, isDisabled = false } = {},
): Promise<RoleHolder> {
  const [id, roleId, now] = [ulid(), ulid(), new Date().toISOString()];
  const role = {
    ...{ id: roleId, name: 'Role', remark: '', grants: [...grants], version: 1, admin_count: 1 },
    ...{ created_at: now, updated_at: now },
  };
  const admin = {
    ...{ id, account: id.toLowerCase(), name: 'Holder', avatar: '', super: isSuper, role_ids: [roleId] },
    ...{ last_login_at: null, last_login_ip: null, created_at: now },
    ...{ status: isDisabled ? ('disabled' as const) : ('enabled' as const) },
    ...{ password_hash: '', session_epoch: 1, two_factor: false, has_password: true },
  };
  await transact([putRow(roles, role), putRow(adminRecords, admin)]);
  return {
    id,
    async logIn() {
      const { write, token } = prepareSession('admin', id, admin.session_epoch);
      await transact([write]);
      return `Bearer ${token}`;
    },
    deleteRole: () => withoutRevisions(() => deleteItem(roles.key({ id: roleId }))),
  };
}
