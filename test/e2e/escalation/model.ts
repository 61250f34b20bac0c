import type { Permission } from '#shared/auth/permission.ts';
import { isCoveredByModel } from '../../support/permission-model.ts';

/** An administrator of the model. */
export interface ModelAdmin {
  super: boolean;
  isEnabled: boolean;
  /** Indices of roles. */
  roles: number[];
}

export type Operation =
  | { kind: 'add'; actor: number; grants: string[] }
  | { kind: 'edit'; actor: number; role: number; grants: string[] }
  | { kind: 'delete'; actor: number; role: number }
  | { kind: 'assign'; actor: number; target: number; roles: number[]; isSuper: boolean | undefined }
  | { kind: 'status'; actor: number; target: number; isEnabled: boolean }
  | { kind: 'rename'; actor: number; target: number }
  | { kind: 'password'; actor: number; target: number };

/** The last part of an operation's route. */
export const pathOf = {
  ...{ add: 'system/role/add', edit: 'system/role/edit', delete: 'system/role/delete' },
  ...{ assign: 'system/admin/roles', status: 'system/admin/edit', rename: 'system/admin/edit' },
  password: 'system/admin/password',
} as const;

/** The rules against escalation, as sets of permissions. */
export class Model {
  /** Grants by index; undefined for a deleted role. */
  readonly roles: (string[] | undefined)[] = [];
  readonly admins: ModelAdmin[] = [];

  readonly permissions: readonly Permission[];

  constructor(permissions: readonly Permission[]) {
    this.permissions = permissions;
  }

  cover(grants: readonly string[]): Set<Permission> {
    return new Set(this.permissions.filter((each) => isCoveredByModel(grants, each)));
  }

  /** Everything that an administrator may do. */
  rightsOf(admin: ModelAdmin): Set<Permission> {
    if (admin.super) return new Set(this.permissions);
    return this.cover(this.grantsOf(admin.roles));
  }

  grantsOf(roles: readonly number[]): string[] {
    return roles.flatMap((index) => this.roles[index] ?? []);
  }

  /** The code of an operation's answer. A success changes the model. */
  run(operation: Operation): string {
    const { kind } = operation;
    const actor = this.#admin(operation.actor);
    if (!actor.isEnabled) return 'auth.principal_disabled';
    const held = this.rightsOf(actor);
    const isOwn = 'target' in operation && operation.target === operation.actor;
    const isFree = kind === 'password' && isOwn;
    if (!isFree && ![...held].some(({ path }) => path === pathOf[kind])) return 'auth.permission_denied';
    const own = this.grantsOf(actor.roles);
    const holdsGrant = (grant: string) =>
      own.includes(grant) || own.includes(grant.replace(':read', ':write'));
    const exceeds = (grants: readonly string[], isSuper = false) =>
      !actor.super &&
      (isSuper ||
        !this.cover(grants).isSubsetOf(held) ||
        // A grant that covers nothing may cover something later.
        grants.some((grant) => this.cover([grant]).size === 0 && !holdsGrant(grant)));
    if (kind === 'add' || kind === 'edit') {
      if (operation.grants.some((grant) => this.cover([grant]).size === 0)) return 'request.invalid';
    }
    switch (operation.kind) {
      case 'add':
        if (exceeds(operation.grants)) return 'role.exceeds';
        this.roles.push(operation.grants);
        return 'ok';
      case 'edit':
      case 'delete': {
        const old = this.roles[operation.role];
        if (kind === 'edit' && !actor.super && actor.roles.includes(operation.role)) return 'admin.self';
        if (!old) return 'role.not_found';
        const grants = operation.kind === 'edit' ? operation.grants : undefined;
        if (exceeds([...old, ...(grants ?? [])])) return 'role.exceeds';
        if (!grants && this.admins.some(({ roles }) => roles.includes(operation.role))) return 'role.in_use';
        this.roles[operation.role] = grants;
        return 'ok';
      }
      case 'assign': {
        if (isOwn) return 'admin.self';
        const target = this.#admin(operation.target);
        const roles = [...new Set(operation.roles)];
        const next = { ...target, roles, super: operation.isSuper ?? target.super };
        if (exceeds(this.grantsOf(roles), operation.isSuper)) return 'role.exceeds';
        if (exceeds(this.grantsOf(target.roles), target.super)) return 'role.exceeds';
        if (roles.some((index) => !this.roles[index])) return 'role.not_found';
        if (!next.super && this.#isLastSuper(target)) return 'admin.last_super';
        Object.assign(target, next);
        return 'ok';
      }
      default: {
        const target = this.#admin(operation.target);
        const isEnabled = operation.kind === 'status' ? operation.isEnabled : target.isEnabled;
        if (isOwn && !isEnabled) return 'admin.self';
        if (!isFree && exceeds(this.grantsOf(target.roles), target.super)) return 'role.exceeds';
        if (!isEnabled && this.#isLastSuper(target)) return 'admin.last_super';
        target.isEnabled = isEnabled;
        return 'ok';
      }
    }
  }

  #isLastSuper(admin: ModelAdmin): boolean {
    const supers = this.admins.filter((each) => each.super && each.isEnabled);
    return supers.length === 1 && supers[0] === admin;
  }

  #admin(index: number): ModelAdmin {
    const admin = this.admins[index];
    if (!admin) throw new Error(`there is no administrator ${index}`);
    return admin;
  }
}
