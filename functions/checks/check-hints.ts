import { isSchema, listInner, type Schema } from '#shared/schema/definition.ts';
import { hints } from '#shared/schema/titled.ts';
import type { Declarations } from '../model.ts';
import { findFaults } from '../scope.ts';

/** A hint of a field that names something else. */
interface Named {
  file: string;
  field: string;
  kind: 'dictionary' | 'refersTo';
  name: string;
}

/** Problems of schemas that cannot be read, and of fields that refer to records without a list. */
export function checkReferences(found: Declarations): string[] {
  const urls = new Set(found.routes.map(({ path }) => path));
  const { named, faults } = listHints(found);
  const unlisted = named
    .filter(({ kind, name }) => kind === 'refersTo' && !urls.has(`/adminapi/${name}/list`))
    .map(
      ({ file, field, name }) =>
        `${file}: its field ${field} refers to "${name}", which has no list: write a folder of Admin/ of an enabled module with a list.ts, such as system/admin`,
    );
  return [...faults, ...unlisted];
}

/** Warnings about dictionaries that no module declares. Operators may make them, so they are not refused. */
export function warnOfDictionaries(found: Declarations): string[] {
  const declared = new Set(
    found.modules.flatMap(({ manifest }) => manifest.dictionaries?.map(({ type_key }) => type_key) ?? []),
  );
  return listHints(found)
    .named.filter(({ kind, name }) => kind === 'dictionary' && !declared.has(name))
    .map(
      ({ file, field, name }) =>
        `${file}: its field ${field} takes values of the dictionary "${name}", which no enabled module declares: add it to dictionaries in a module.ts, or create it in the console`,
    );
}

/** The hints in all schemas, each once, with the first file that uses it; `faults` of schemas that throw. */
function listHints({ routes, tools }: Declarations): { named: Named[]; faults: string[] } {
  const found = new Map<string, Named>();
  const seen = new Set<Schema>();
  const walk = (schema: unknown, file: string, field: string): void => {
    if (!isSchema(schema) || seen.has(schema)) return;
    seen.add(schema);
    const { dictionary, refersTo } = hints.get(schema) ?? {};
    for (const [kind, name] of Object.entries({ dictionary, refersTo })) {
      if (name === undefined || (kind !== 'dictionary' && kind !== 'refersTo')) continue;
      const key = `${kind} ${name} ${field}`;
      if (!found.has(key)) found.set(key, { file, field, kind, name });
    }
    for (const [name, inner] of listInner(schema)) walk(inner, file, name ?? field);
  };
  const all = [
    ...routes.map(({ route, file }) => ({
      file,
      schemas: [route.query, route.body, route.reference?.body, route.data],
    })),
    ...tools.map(({ tool, file }) => ({ file, schemas: [tool.inputSchema] })),
  ];
  const faults = all.flatMap(({ file, schemas }) =>
    findFaults(() => {
      for (const schema of schemas) walk(schema, file, '');
      return [];
    }).map((fault) => `${file}: its schema ${fault}${fault.endsWith(endless) ? recursionAdvice : ''}`),
  );
  return { named: [...found.values()], faults };
}

/** What a factory that calls itself ends with: each of its schemas holds another new one. */
const endless = 'Maximum call stack size exceeded';
const recursionAdvice = ': make a schema that contains itself once, outside of a function';
