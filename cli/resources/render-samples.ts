import { typeOfField } from './field-types.ts';
import type { FieldSpec } from './parse-field.ts';
import { argumentOf, mayMiss } from './render-record.ts';
import type { ResourceNames } from './resource-names.ts';

/** Whether a field needs another record. */
const namesAnother = ({ type }: FieldSpec): boolean => typeOfField(type).sample === undefined;

/** The first value of each dictionary, by its type key. */
export type FirstValues = ReadonlyMap<string, string>;

/** Values of a new record as source text; optional references are left out. @param text of text fields */
const renderValues = (fields: readonly FieldSpec[], first: FirstValues, text = "'Example'"): string =>
  fields
    .filter((field) => !(namesAnother(field) && mayMiss(field)))
    .map((field) => {
      if (namesAnother(field)) return `${field.name}: ${field.type}.id,`;
      if (field.type === 'dict') return `${field.name}: '${first.get(argumentOf(field)) ?? firstValue}',`;
      if (field.type === 'text') return `${field.name}: ${text},`;
      return `${field.name}: ${typeOfField(field.type).sample?.(argumentOf(field))},`;
    })
    .join(' ');

/** The first value of a dictionary that a resource brings along. */
export const firstValue = 'first';

/** Kinds of records that a new record must name. */
const listNeeded = (fields: readonly FieldSpec[]): ('admin' | 'user')[] =>
  (['admin', 'user'] as const).filter((kind) =>
    fields.some((field) => field.type === kind && !mayMiss(field)),
  );

/** Example data: three records, which `npm run service -- demo` makes and removes. */
export function renderDemo(
  { constant, files }: ResourceNames,
  fields: readonly FieldSpec[],
  first: FirstValues,
): string | undefined {
  const needed = listNeeded(fields);
  if (needed.length > 0) return undefined;
  const filled = fields.filter((field) => !(typeOfField(field.type).isStored && mayMiss(field)));
  return `\
import type { DemoRun, DemoThing } from '#shared/module/demo.ts';
import { ${constant} } from './${files}.ts';

/** Makes three records. */
export async function fill${capitalise(constant)}(run: DemoRun): Promise<void> {
  for (const name of ['1', '2', '3']) {
    await run.add('${constant}', name, () => ${constant}.add({ ${renderValues(filled, first, exampleName)} }));
  }
}

export const remove${capitalise(constant)} = ({ id }: DemoThing): Promise<void> => ${constant}.remove(String(id));
`;
}

/** The source of a text of its own for each record. */
const exampleName = ['`Example $', '{name}`'].join('');

export const capitalise = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

const shortest = { admin: 'account', user: 'sn' } as const;

/** The test of a resource, against a database of its own. */
export function renderTest(
  { constant, files, title }: ResourceNames,
  fields: readonly FieldSpec[],
  first: FirstValues,
): string {
  const needed = listNeeded(fields);
  const searched = fields.find(({ flags, type }) => flags.includes('search') && type === 'text');
  const query = searched ? "{ limit: 10, search: 'example' }" : '{ limit: 10 }';
  const imports = [
    "import { describe, expect, test } from '@jest/globals';",
    "import { findDynoxide } from '#cli/local/dynamodb/dynoxide.ts';",
    ...(needed.length > 0
      ? [
          "import { singleKey, transact } from '#shared/db/items.ts';",
          "import { putItem } from '#shared/db/writes.ts';",
        ]
      : []),
    "import { useDatabase } from '../../test/support/database.ts';",
    "import manifest from './module.ts';",
    `import { ${constant} } from './${files}/${files}.ts';`,
  ];
  // A status is one of two texts.
  const hasStatus = fields.some((field) => field.type === 'status');
  const type = hasStatus ? `: Parameters<typeof ${constant}.add>[0]` : '';
  const before = needed.map(
    (kind) => `const ${kind} = { id: '01ARZ3NDEKTSV4RRFFQ69G5FAV', ${shortest[kind]}: 'example' };`,
  );
  const puts = needed.map(
    (kind) =>
      `    await transact([putItem({ ...singleKey(\`${kind.toUpperCase()}#\${${kind}.id}\`), ...${kind} })]);`,
  );
  return `${imports.join('\n')}

useDatabase(findDynoxide() ? 'dynoxide' : 'dynamodb-local', [manifest]);

${before.join('\n')}
const values${type} = { ${renderValues(fields, first)} };

describe('${title.plural}', () => {
  test('are added, found, edited and deleted', async () => {
${puts.join('\n')}
    const added = await ${constant}.add(values);

    expect((await ${constant}.list(${query})).list).toEqual([added]);
    expect(await ${constant}.edit({ id: added.id, version: 1 })).toMatchObject({ ...values, version: 2 });
    await ${constant}.remove(added.id);
    await expect(${constant}.get(added.id)).rejects.toMatchObject({ code: 'record.not_found' });
  });
});
`;
}
