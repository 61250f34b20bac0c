import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Contributions } from '#shared/module/contributions.ts';
import type { FoundModule } from '../model.ts';
import { findDuplicates, importDefault, listFaults, report, type Scope } from '../scope.ts';

type FoundContributions = NonNullable<FoundModule['contributions']>;

const parts = ['statistics', 'waiting', 'latest'] as const satisfies (keyof Contributions)[];

/** Reads `contributions.ts` of a module; undefined if it has none. */
export async function readContributions(scope: Scope, home: string): Promise<FoundContributions | undefined> {
  const file = `${home}/contributions.ts`;
  if (!existsSync(join(scope.root, file))) return undefined;
  const declared = await importDefault<Contributions>(scope, file);
  if (!declared) return undefined;
  report(scope, file, checkParts(declared));
  return { file, declared };
}

/** What each part is a table of, with an example. */
const forms = {
  statistics: 'orders: { title, to, permission, read }',
  waiting: 'orders: { title, to, permission, count }',
  latest: 'orders: listLatestOrders',
};

const checkParts = (declared: Contributions): string[] =>
  parts.flatMap((part) =>
    listFaults({
      [`its ${part} does not fit: write ${part}: { ${forms[part]} }`]: !isTable(part, declared[part]),
    }),
  );

const isTable = (part: (typeof parts)[number], value: unknown): boolean =>
  value === undefined ||
  (Object(value) === value && Object.values(Object(value)).every((each) => fits[part](Object(each))));

const isShown = ({ title, to, permission }: Record<string, unknown>): boolean =>
  [Object(title).zh_CN, Object(title).en, to, permission].every((text) => typeof text === 'string');

const fits: Record<(typeof parts)[number], (each: Record<string, unknown>) => boolean> = {
  statistics: (each) => isShown(each) && typeof each.read === 'function',
  waiting: (each) => isShown(each) && typeof each.count === 'function',
  latest: (each) => typeof each === 'function',
};

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
