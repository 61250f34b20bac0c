import { addAdmin, setAdminRoles } from '#modules/System/admins/admins.ts';
import { addRole, deleteRole } from '#modules/System/roles/roles.ts';
import { prepareSession } from '#shared/auth/new-session.ts';
import { transact } from '#shared/db/items.ts';
import { keys } from '../../support/keys.ts';
import { newWord } from '../world/random.ts';
import type { Caller, World } from '../world/world.ts';
import { defineFlow, type Flow, type Truth } from './flow.ts';

// Every caller here is a super administrator; the holders of the roles are not, or not always.

const newRole = async () => (await addRole({ name: newWord(), grants: ['article:read'] })).id;

/** An administrator with a role. */
interface Holder {
  holderId: string;
  roleId: string;
}

/** Holders that no run uses, by flow: there may be 200 roles. */
const idle = { edit: [] as Holder[], assign: [] as Holder[] };

async function takeHolder(flow: keyof typeof idle): Promise<Holder> {
  const known = idle[flow].pop();
  if (known) return known;
  const roleId = await newRole();
  const person = { account: newWord(), name: 'n', password: newWord() };
  const { id: holderId } = await addAdmin({ ...person, roleIds: [roleId] });
  return { holderId, roleId };
}

const judge = (now: unknown, before: unknown, after: unknown): Truth => {
  const [text, old, wanted] = [now, before, after].map((value) => JSON.stringify(value));
  if (text === wanted) return 'after';
  return text === old ? 'before' : 'between';
};

/** Whether a holder sees the rights that the table holds: the cached principal is current. */
async function holdsWhatIsStored({ steady, table }: World, { holderId }: Holder): Promise<boolean> {
  const admin = await table.get(keys.admin(holderId));
  const roleIds = [admin?.role_ids].flat().map(String);
  const roles = await Promise.all(roleIds.map((id) => table.get(keys.role(id))));
  const stored = new Set(roles.flatMap((role) => role?.grants));
  // Logins end with new rights. A session by itself clears no principal.
  const { write, token } = prepareSession('admin', holderId, Number(admin?.session_epoch));
  await transact([write]);
  const { data } = await steady.get('/adminapi/system/admin/info', {}, token);
  return (
    JSON.stringify([...stored].sort()) === JSON.stringify([...data.grants].sort()) &&
    JSON.stringify([roleIds, admin?.super]) === JSON.stringify([data.role_ids, data.super])
  );
}

/** It caches the caller too, so that the steps of a warm run are those of its own work. */
const isShownToBoth = async (world: World, state: Caller & Holder): Promise<boolean> =>
  (await world.steady.get('/adminapi/system/admin/info', {}, state.token)).status === 200 &&
  holdsWhatIsStored(world, state);

/** Names of roles that earlier runs have added. */
const added: string[] = [];

const findRoles = async ({ table }: World, name: string) =>
  (await table.list(keys.roles)).filter((role) => role.name === name);

const add = defineFlow<Caller & { name: string }>({
  name: 'a role is added',
  isTriedCold: true,
  async prepare(world) {
    const earlier = await Promise.all(added.splice(0).map((name) => findRoles(world, name)));
    for (const { sk } of earlier.flat()) await deleteRole(String(sk));
    return { ...(await world.takeAdmin()), name: newWord() };
  },
  act: ({ api }, { token, name }) =>
    api.post('/adminapi/system/role/add', { name, grants: ['article:read'] }, token),
  look: async (world, { name }) => ((await findRoles(world, name)).length > 0 ? 'after' : 'before'),
  async isShown(world, { token, name }) {
    const { data } = await world.steady.get('/adminapi/system/role/list', { keyword: name }, token);
    return data.list.length === (await findRoles(world, name)).length;
  },
  isRecord: ({ action, fields }, { name }) => action === 'system/role/add' && fields.name === name,
  changes: () => [],
  release(world, state) {
    added.push(state.name);
    world.giveBack(state);
  },
});

const edit = defineFlow<Caller & Holder & { before: unknown; version: number; grants: string[] }>({
  name: 'a role is edited',
  async prepare(world) {
    const holder = await takeHolder('edit');
    const { grants: before, version } = Object(await world.table.get(keys.role(holder.roleId)));
    const grants = ['article:write', ...(Number(version) % 2 === 0 ? ['system/file:read'] : [])];
    return { ...(await world.takeAdmin()), ...holder, before, version, grants };
  },
  act: ({ api }, { token, roleId: id, version, grants }) =>
    api.post('/adminapi/system/role/edit', { id, version, grants }, token),
  look: async ({ table }, { roleId, before, grants }) =>
    judge((await table.get(keys.role(roleId)))?.grants, before, grants),
  isShown: isShownToBoth,
  isRecord: ({ action, target }, { roleId }) => action === 'system/role/edit' && target === `role:${roleId}`,
  changes: ({ roleId }) => [keys.role(roleId)],
  clears: 'role-generation',
  // All runs would share the generation that failed to change.
  atOnce: 1,
  conflicts: ['version_conflict'],
  release(world, state) {
    idle.edit.push(state);
    world.giveBack(state);
  },
});

const assign = defineFlow<Caller & Holder & { before: unknown; after: [string[], boolean] }>({
  name: 'an administrator gets another role, or becomes super',
  async prepare(world) {
    const holder = await takeHolder('assign');
    const { role_ids, super: isSuper } = Object(await world.table.get(keys.admin(holder.holderId)));
    const roleIds = role_ids.length > 0 ? [] : [holder.roleId];
    const after: [string[], boolean] = [roleIds, !isSuper];
    return { ...(await world.takeAdmin()), ...holder, before: [role_ids, isSuper], after };
  },
  act: ({ api }, { token, holderId: id, after: [role_ids, isSuper] }) =>
    api.post('/adminapi/system/admin/roles', { id, role_ids, super: isSuper }, token),
  async look({ table }, { holderId, before, after }) {
    const { role_ids, super: isSuper } = Object(await table.get(keys.admin(holderId)));
    return judge([role_ids, isSuper], before, after);
  },
  isShown: isShownToBoth,
  isRecord: ({ action, target }, { holderId }) =>
    action === 'system/admin/roles' && target === `admin:${holderId}`,
  changes: ({ holderId }) => [keys.admin(holderId)],
  release(world, state) {
    idle.assign.push(state);
    world.giveBack(state);
  },
});

/** The deletion of a role or of an administrator. @param create makes the one to delete, and returns its ID */
function defineDeletion(kind: 'role' | 'admin', name: string, create: () => Promise<string>) {
  const keyOf = { role: keys.role, admin: keys.admin }[kind];
  return defineFlow<Caller & { target: string }>({
    name,
    prepare: async (world) => ({ ...(await world.takeAdmin()), target: await create() }),
    act: ({ api }, { token, target: id }) => api.post(`/adminapi/system/${kind}/delete`, { id }, token),
    look: async ({ table }, { target }) => ((await table.get(keyOf(target))) ? 'before' : 'after'),
    async isShown({ steady, table }, { token, target: id }) {
      const { status } = await steady.get(`/adminapi/system/${kind}/detail`, { id }, token);
      return status === ((await table.get(keyOf(id))) ? 200 : 404);
    },
    isRecord: (entry, { target }) =>
      entry.action === `system/${kind}/delete` && entry.target === `${kind}:${target}`,
    changes: ({ target }) => [keyOf(target)],
    conflicts: [`${kind}.not_found`],
    release: (world, state) => world.giveBack(state),
  });
}

const remove = defineDeletion('role', 'a role is deleted', newRole);

const removeHolder = defineDeletion('admin', 'an administrator with a role is deleted', async () => {
  const holder = await takeHolder('assign');
  idle.assign.push(holder);
  const { id } = await addAdmin({ account: newWord(), name: 'n', password: newWord() });
  await setAdminRoles(id, [holder.roleId], true);
  return id;
});

export const roleFlows: Flow[] = [add, edit, assign, remove, removeHolder];
