import type { Schema } from '#shared/http/route.ts';
import { hints } from '#shared/schema/titled.ts';
import type { Manifest } from './model.ts';

type Declared = Pick<Manifest, 'modules' | 'routes' | 'tools'>;

/** A hint of a field that names something else. */
interface Named {
  file: string;
  field: string;
  kind: 'dictionary' | 'refersTo';
  name: string;
}

/** Problems of fields that refer to records without a list. */
export function checkReferences(found: Declared): string[] {
  const urls = new Set(found.routes.map(({ path }) => path));
  return listHints(found)
    .filter(({ kind, name }) => kind === 'refersTo' && !urls.has(`/adminapi/${name}/list`))
    .map(
      ({ file, field, name }) =>
        `${file}: its field ${field} refers to "${name}", which has no list: write a folder of Admin/ of an enabled module with a list.ts, such as system/admin`,
    );
}

/** Warnings about dictionaries that no module declares. Operators may make them, so they are not refused. */
export function warnOfDictionaries(found: Declared): string[] {
  const declared = new Set(
    found.modules.flatMap(({ manifest }) => manifest.dictionaries?.map(({ type_key }) => type_key) ?? []),
  );
  return listHints(found)
    .filter(({ kind, name }) => kind === 'dictionary' && !declared.has(name))
    .map(
      ({ file, field, name }) =>
        `${file}: its field ${field} takes values of the dictionary "${name}", which no enabled module declares: add it to dictionaries in a module.ts, or create it in the console`,
    );
}

/** The hints in all schemas, each once, with the first file that uses it. */
function listHints({ routes, tools }: Declared): Named[] {
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
  for (const { route, file } of routes) {
    for (const schema of [route.query, route.body, route.reference?.body, route.data]) walk(schema, file, '');
  }
  for (const { tool, file } of tools) walk(tool.inputSchema, file, '');
  return [...found.values()];
}

/** Schemas directly below a schema, those of an object with their names. */
function listInner(schema: Schema): [name: string | undefined, inner: unknown][] {
  const { shape = {}, getter, ...rest }: Record<string, unknown> = { ...schema._zod.def };
  const lazy = typeof getter === 'function' ? [getter()] : [];
  const unnamed = [...Object.values(rest).flat(), ...lazy].map((inner): [undefined, unknown] => [
    undefined,
    inner,
  ]);
  return [...Object.entries(Object(shape)), ...unnamed];
}

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && '_zod' in value;
