import { assertCovering } from '#modules/System/roles/rights.ts';
import { maxRoles } from '#modules/System/roles/roles.ts';
import type { Role } from '#modules/System/roles/schema.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { translateDetails } from '../translate.ts';
import { type Change, compare, type Note, notInFile, type Plan, type PlanOptions } from './changes.ts';
import { type ConfigFile, type FileRole, toFileRole } from './format.ts';
import type { Stage } from './stage.ts';

export function planRoles(
  { roles, permissions }: Pick<Stage, 'roles' | 'permissions'>,
  { roles: wanted }: Pick<ConfigFile, 'roles'>,
  { prune }: Pick<PlanOptions, 'prune'>,
): Plan {
  const stored = Map.groupBy(roles, ({ name }) => name);
  const faults: Note[] = [];
  const written = wanted.flatMap((role): Change[] => {
    const [old, ...others] = stored.get(role.name) ?? [];
    const fields = compare(old && toFileRole(old), toFileRole(role));
    if (others.length > 0) faults.push({ record: nameRole(role), reason: sameName });
    if (fields.some(({ name }) => name === 'grants')) faults.push(...findGrantFaults(role, permissions));
    return fields.length > 0
      ? [{ record: nameRole(role), kind: 'role', fields, old, now: toFileRole(role) }]
      : [];
  });
  const names = new Set(wanted.map(({ name }) => name));
  const others = roles.filter(({ name }) => !names.has(name));
  const removed = prune ? others.filter(({ admin_count }) => admin_count === 0) : [];
  const removals = removed.map(planRemoval);
  const most = others.length + names.size;
  if (most - removed.length > maxRoles)
    faults.push({ record: 'role', reason: `there would be more than ${maxRoles} roles` });
  return {
    changes: most > maxRoles ? [...removals, ...written] : [...written, ...removals],
    left: others.filter((role) => !removed.includes(role)).map((role) => leave(role, prune)),
    faults,
  };
}

const nameRole = ({ name }: Pick<Role, 'name'>): string => `role:${name}`;

const sameName = 'the stage has several roles of this name; rename or delete all but one';

const leave = (role: Role, prune: boolean): Note => ({
  record: nameRole(role),
  reason: prune ? `not in the file; administrators who have it: ${role.admin_count}` : notInFile,
});

const planRemoval = (role: Role): Change => ({
  record: nameRole(role),
  kind: 'role',
  fields: compare(toFileRole(role), undefined),
  old: role,
  now: undefined,
});

/** Grants that no permission of the stage needs, as the routes refuse them. */
function findGrantFaults(role: FileRole, permissions: Stage['permissions']): Note[] {
  try {
    assertCovering(role.grants, permissions);
    return [];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return translateDetails(error.errors ?? []).map(({ path, message }) => {
      const grant = role.grants[Number(path.split('.').at(-1))];
      return { record: nameRole(role), reason: `${grant}: ${message}` };
    });
  }
}
