import '../../support/environment.ts';
import { beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createPermissionTable } from '#functions/discover/permissions.ts';
import { loginAdmin } from '#modules/System/admins/admin-login.ts';
import {
  addAdmin,
  editAdmin,
  getAdmin,
  setAdminPassword,
  setAdminRoles,
} from '#modules/System/admins/admins.ts';
import { addRole, deleteRole, listRoles } from '#modules/System/roles/roles.ts';
import type { Permission } from '#shared/auth/permission.ts';
import { useFunctions } from '../../support/use-functions.ts';
import { Model, type ModelAdmin, type Operation, pathOf } from './model.ts';

// Random changes of roles and administrators, through their routes, against a model of the rules.

const adminCount = 4;
const roleCount = 4;
const password = 'a long password';

const { functions, client } = useFunctions({ login: false });
let permissions: readonly Permission[];
let ids: string[];

beforeAll(async () => {
  ({ permissions } = createPermissionTable(functions.manifest));
  ids = [];
  for (let at = 0; at < adminCount; at += 1) {
    ids.push((await addAdmin({ account: `actor${at}`, name: 'x', password })).id);
  }
}, 120_000);

/** Every prefix of every permission, some of which grant nothing with `read`. */
function listGrants(): string[] {
  const prefixes = permissions.flatMap(({ path }) =>
    path.split('/').map((_segment, at, all) => all.slice(0, at + 1).join('/')),
  );
  return [...new Set(prefixes)].flatMap((prefix) => [`${prefix}:read`, `${prefix}:write`]);
}

/** Grants that often let their holder change roles and administrators. */
function createArbitraries() {
  const any = fc.constantFrom(...listGrants());
  const managing = fc.constantFrom('system/role:write', 'system/admin:write');
  const grants = fc.uniqueArray(fc.oneof({ weight: 2, arbitrary: any }, managing), { maxLength: 4 });
  const wide = fc
    .tuple(grants, fc.constantFrom(true, true, true, false))
    .map(([some, isManager]) => [
      ...new Set(isManager ? ['system/role:write', 'system/admin:write', ...some] : some),
    ]);
  const actor = fc.nat({ max: adminCount - 1 });
  const role = fc.nat({ max: roleCount });
  const roles = fc.uniqueArray(role, { maxLength: 3 });
  const initial = fc.record({
    roles: fc.array(wide, { minLength: roleCount, maxLength: roleCount }),
    admins: fc.array(
      fc.record({
        super: fc.constantFrom(true, false, false, false, false),
        isEnabled: fc.constant(true),
        roles: fc.uniqueArray(fc.nat({ max: roleCount - 1 }), { maxLength: 3 }),
      }),
      { minLength: adminCount, maxLength: adminCount },
    ),
  });
  const isSuper = fc.option(fc.boolean(), { nil: undefined });
  const operation: fc.Arbitrary<Operation> = fc.oneof(
    fc.record({ kind: fc.constant('add' as const), actor, grants }),
    fc.record({ kind: fc.constant('edit' as const), actor, role, grants }),
    fc.record({ kind: fc.constant('delete' as const), actor, role }),
    fc.record({ kind: fc.constant('assign' as const), actor, target: actor, roles, isSuper }),
    fc.record({ kind: fc.constant('status' as const), actor, target: actor, isEnabled: fc.boolean() }),
    fc.record({ kind: fc.constant('rename' as const), actor, target: actor }),
    fc.record({ kind: fc.constant('password' as const), actor, target: actor }),
  );
  return { initial, operations: fc.array(operation, { minLength: 15, maxLength: 25 }) };
}

/** An ID that no role has. */
const noRole = '01JA4Q2M7Z3V8XK5T9R6W1C0BD';

/** The service in a state of the model, and its roles by index. */
class Service {
  readonly roleIds: string[] = [];
  readonly #tokens = new Map<number, string>();

  static async in({ roles, admins }: { roles: string[][]; admins: ModelAdmin[] }): Promise<Service> {
    const service = new Service();
    for (const id of ids) await setAdminRoles(id, [], false);
    for (const { id } of await listRoles()) await deleteRole(id);
    for (const grants of roles) service.roleIds.push((await addRole({ name: 'r', grants })).id);
    for (const [at, admin] of admins.entries()) {
      await editAdmin(idOf(at), { status: 'enabled' });
      await setAdminPassword(idOf(at), password);
      await setAdminRoles(
        idOf(at),
        admin.roles.map((index) => service.#roleId(index)),
        admin.super,
      );
    }
    return service;
  }

  /** Carries an operation out through its route. @returns the code of the answer */
  async run(operation: Operation): Promise<string> {
    const { actor, kind } = operation;
    const token = this.#tokens.get(actor) ?? (await this.#logIn(actor));
    if (!token) return 'auth.principal_disabled';
    const body = await this.#bodyOf(operation);
    const { status, code, data } = await client.as(token).post(`/adminapi/${pathOf[kind]}`, body);
    if (kind === 'add' && status === 200) this.roleIds.push(data.id);
    // A session ends with a new password, with new rights, and while its administrator is disabled.
    if (['password', 'status', 'assign'].includes(kind) && 'target' in operation && status === 200)
      this.#tokens.delete(operation.target);
    return code;
  }

  /** What is stored, in the words of the model. */
  async read() {
    const roles = await listRoles();
    const admins = await Promise.all(ids.map(getAdmin));
    return {
      roles: this.roleIds.map((id) => roles.find((each) => each.id === id)?.grants),
      admins: admins.map((admin) => ({
        super: admin.super,
        isEnabled: admin.status === 'enabled',
        roles: admin.role_ids.map((id) => this.roleIds.indexOf(id)),
      })),
      holders: this.roleIds.map((id) => roles.find((each) => each.id === id)?.admin_count),
    };
  }

  async #bodyOf(operation: Operation): Promise<object> {
    switch (operation.kind) {
      case 'add':
        return { name: 'r', grants: operation.grants };
      case 'edit': {
        const id = this.#roleId(operation.role);
        const version = (await listRoles()).find((each) => each.id === id)?.version ?? 1;
        return { id, grants: operation.grants, version };
      }
      case 'delete':
        return { id: this.#roleId(operation.role) };
      case 'assign': {
        const role_ids = operation.roles.map((index) => this.#roleId(index));
        return { id: idOf(operation.target), role_ids, super: operation.isSuper };
      }
      case 'status':
        return { id: idOf(operation.target), status: operation.isEnabled ? 'enabled' : 'disabled' };
      case 'rename':
        return { id: idOf(operation.target), name: 'y' };
      case 'password':
        return { id: idOf(operation.target), password, old_password: password };
    }
  }

  #roleId(index: number): string {
    return this.roleIds[index] ?? noRole;
  }

  async #logIn(actor: number): Promise<string | undefined> {
    const { status } = await getAdmin(idOf(actor));
    if (status === 'disabled') return undefined;
    const { token } = await loginAdmin(`actor${actor}`, password, '203.0.113.7');
    this.#tokens.set(actor, token);
    return token;
  }
}

function idOf(at: number): string {
  const id = ids[at];
  if (!id) throw new Error(`there is no administrator ${at}`);
  return id;
}

/** What an operation gave or took beyond the rights of its actor. */
function findExcess(model: Model, operation: Operation, run: () => string): string[] {
  const rightsOf = () => model.admins.map((admin) => model.rightsOf(admin));
  const before = rightsOf();
  const held = before[operation.actor] ?? new Set();
  const code = run();
  if (code !== 'ok') return [];
  const target = 'target' in operation && operation.target !== operation.actor ? operation.target : undefined;
  return rightsOf().flatMap((after, at) => {
    const old = before[at] ?? new Set();
    const moved = [...after.symmetricDifference(old), ...(at === target ? old : [])];
    return moved.filter((each) => !held.has(each)).map(({ path, kind }) => `${at}: ${path}:${kind}`);
  });
}

test('no sequence of changes gives or takes more than the acting administrator holds', async () => {
  const { initial, operations } = createArbitraries();
  const codes = new Map<string, number>();

  await fc.assert(
    fc.asyncProperty(initial, operations, async (start, steps) => {
      const model = new Model(permissions);
      // The first administrator, who acts in no step, is super too: no actor is the last one.
      model.roles.push(...start.roles);
      model.admins.push(...structuredClone(start.admins), { super: true, isEnabled: true, roles: [] });
      const service = await Service.in(start);
      for (const step of steps) {
        let expected = '';
        const excess = findExcess(model, step, () => {
          expected = model.run(step);
          return expected;
        });
        const code = await service.run(step);
        codes.set(`${step.kind} ${code}`, (codes.get(`${step.kind} ${code}`) ?? 0) + 1);
        expect({ step, code, excess }).toEqual({ step, code: expected, excess: [] });
      }
      const stored = await service.read();
      const admins = model.admins.slice(0, adminCount);
      const holders = model.roles.map(
        (role, index) => role && admins.filter(({ roles }) => roles.includes(index)).length,
      );
      expect(stored).toEqual({ roles: model.roles, admins, holders });
    }),
    { numRuns: 40 },
  );

  // Every rule was met.
  expect([...codes.keys()].sort()).toEqual(
    expect.arrayContaining([
      ...['add ok', 'add role.exceeds', 'add request.invalid', 'add auth.permission_denied'],
      ...['edit ok', 'edit role.exceeds', 'edit admin.self', 'delete ok', 'delete role.exceeds'],
      'delete role.in_use',
      ...['assign ok', 'assign role.exceeds', 'assign role.not_found', 'assign admin.self'],
      ...['status ok', 'status role.exceeds', 'status admin.self', 'rename ok', 'rename role.exceeds'],
      ...['password ok', 'password role.exceeds', 'password auth.permission_denied'],
    ]),
  );
}, 240_000);
