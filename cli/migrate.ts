import { countEnabledAdmins } from '#modules/System/admins/admins.ts';
import { countTokensWithoutEpoch, markSupers } from '#modules/System/admins/mark-supers.ts';
import { createRole, putRoles } from '#modules/System/roles/roles.ts';
import type { Role } from '#modules/System/roles/schema.ts';
import { getItem, holds, singleKey, transact, type Write } from '#shared/db/items.ts';
import { putItem, putNew } from '#shared/db/writes.ts';
import type { ModuleManifest } from '#shared/module/module.ts';

// The table carries the version of its data. New code works before `migrate` has raised it.

/** The item with the version of a table's data. */
export const versionKey = singleKey('SCHEMA');

interface Step {
  /** Idempotent, and safe beside running functions. @returns what was done, for people */
  run(): Promise<string[]>;
  /** Writes of the transaction that raises the version, so they happen once. */
  finish(modules: readonly ModuleManifest[]): { writes: Write[]; done: string[] };
}

/** A stored token does not show who made it, so none of them is carried over. */
const endedTokens =
  'made before tokens ended with the rights of their owner; they are refused: create new ones';

/** Step N leads from version N to N + 1. */
const steps: readonly Step[] = [
  {
    async run() {
      const marked = await markSupers();
      return marked > 0 ? [`Super administrators: ${marked} more`] : [];
    },
    finish(modules) {
      const roles = createFirstRoles(modules);
      return { writes: putRoles(roles), done: roles.map(({ name }) => `Role ${name} created`) };
    },
  },
  {
    async run() {
      const tokens = await countTokensWithoutEpoch();
      return tokens > 0 ? [`API tokens: ${tokens} ${endedTokens}`] : [];
    },
    finish: () => ({ writes: [], done: [] }),
  },
];

/** The version of a new table. */
export const currentVersion = steps.length;

/** The version of the table's data; undefined if the service was not installed. */
export async function readVersion(): Promise<number | undefined> {
  const item = await getItem(versionKey);
  if (item) return Number(item.version);
  // Tables carried no version before roles.
  return (await countEnabledAdmins()) > 0 ? 0 : undefined;
}

/** The write that gives a table its next version. It fails if the table has another one than `from`. */
export function raiseVersion(from: number | undefined, version: number): Write {
  const item = { ...versionKey, version };
  return from ? putItem(item, { expect: { version: from } }) : putNew(item);
}

/** The roles that the installation begins with. The parts of modules are merged by the role's name. */
export function createFirstRoles(modules: readonly ModuleManifest[]): Role[] {
  const grants = new Map<string, string[]>();
  for (const [name, part] of modules.flatMap(({ roles = {} }) => Object.entries(roles))) {
    grants.set(name, [...(grants.get(name) ?? []), ...part]);
  }
  return [...grants].map(([name, each]) => createRole({ name, grants: each }));
}

/**
 * Raises the data of the table to the current version. Safe to repeat after an interruption, and beside another run.
 *
 * @returns what was done, for people
 * @throws Error if the service is not installed, or if the data is newer than this code
 */
export async function migrate(modules: readonly ModuleManifest[]): Promise<string[]> {
  const from = await readVersion();
  if (from === undefined) throw new Error('The table holds no service: run install first');
  if (from > currentVersion) throw new Error(`The data has version ${from}, this code ${currentVersion}`);
  const done: string[] = [];
  for (const [index, step] of steps.slice(from).entries()) {
    done.push(...(await step.run()));
    const version = from + index;
    const last = step.finish(modules);
    // Another run may have finished the step.
    if (await holds(transact([raiseVersion(version, version + 1), ...last.writes]))) done.push(...last.done);
  }
  return done;
}
