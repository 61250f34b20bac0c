import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Contributions } from '#shared/module/contributions.ts';
import type { FoundModule } from '../model.ts';
import { findDuplicates, importDefault, listFaults, report, type Scope } from '../scope.ts';

type FoundContributions = NonNullable<FoundModule['contributions']>;

const parts = ['statistics', 'latest'] as const satisfies (keyof Contributions)[];

/** Reads `contributions.ts` of a module; undefined if it has none. */
export async function readContributions(scope: Scope, home: string): Promise<FoundContributions | undefined> {
  const file = `${home}/contributions.ts`;
  if (!existsSync(join(scope.root, file))) return undefined;
  const declared = await importDefault<Contributions>(scope, file);
  if (!declared) return undefined;
  report(scope, file, checkParts(declared));
  return { file, declared };
}

const checkParts = (declared: Contributions): string[] =>
  parts.flatMap((part) =>
    listFaults({
      [`its ${part} is not a table of functions: write ${part}: { orders: countOrders }`]: !isTable(
        declared[part],
      ),
    }),
  );

const isTable = (value: unknown): boolean =>
  value === undefined ||
  (Object(value) === value && Object.values(Object(value)).every((each) => typeof each === 'function'));

/** Problems between modules: two that contribute the same kind. */
export const checkContributions = (modules: readonly FoundModule[]): string[] =>
  parts.flatMap((part) =>
    findDuplicates(
      modules.flatMap(({ contributions }) =>
        Object.keys(Object(contributions?.declared[part])).map((kind) => ({
          name: `${part} of "${kind}"`,
          file: contributions?.file ?? '',
        })),
      ),
    ),
  );
