import { readText } from '#functions/write-files.ts';
import { UsageError } from '../command.ts';
import type { KnownModule } from '../modules/find-modules.ts';
import { addEntry, addImports, addItem, addReturned, addStatement } from './edit-module.ts';
import type { FieldSpec } from './parse-field.ts';
import { labelOf, quote } from './render-record.ts';
import { type ResourceParts, renderResource } from './render-resource.ts';
import { capitalise, type FirstValues, firstValue } from './render-samples.ts';
import type { ResourceNames } from './resource-names.ts';

/** What making a resource changes: texts by path from the project's root. */
export interface Plan {
  /** New files. */
  made: Map<string, string>;
  /** Files of the module that get a line or two. */
  changed: Map<string, string>;
}

/** @throws Error naming a file, and the line, that is not of the usual form */
export function planResource(
  names: ResourceNames,
  fields: readonly FieldSpec[],
  parts: ResourceParts,
  { root, modules }: { root: string; modules: readonly KnownModule[] },
): Plan {
  if (parts.isOwn && !fields.some(({ type, flags }) => type === 'user' && flags.includes('filter')))
    throw new UsageError(
      '--own needs a field with the user that is a filter: "user_id:user required filter"',
    );
  const first = listFirstValues(modules);
  const sources = renderResource(names, fields, parts, first);
  const plan: Plan = { made: new Map(sources), changed: new Map() };
  const hasDemo = [...sources.keys()].some((file) => file.endsWith(`/${names.files}/demo.ts`));
  put(root, plan, names, 'module.ts', (source) => editManifest(source, names, fields, first));
  put(root, plan, names, 'uninstall.ts', (source) => editUninstall(source, names));
  if (hasDemo) put(root, plan, names, 'demo.ts', (source) => editDemo(source, names));
  return plan;
}

/** Plans a file that a module has once. */
function put(
  root: string,
  { made, changed }: Plan,
  { module }: ResourceNames,
  name: string,
  edit: (source: string | undefined) => string,
): void {
  const file = `modules/${module}/${name}`;
  const source = readText(root, file);
  try {
    const text = edit(source);
    if (source === undefined) made.set(file, text);
    else if (text !== source) changed.set(file, text);
  } catch (error) {
    throw new Error(`${file}: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
}

const listFirstValues = (modules: readonly KnownModule[]): FirstValues =>
  new Map(
    modules.flatMap(({ manifest }) =>
      (manifest?.dictionaries ?? []).map(({ type_key, items }): [string, string] => [
        type_key,
        items[0]?.value ?? firstValue,
      ]),
    ),
  );

function editManifest(
  source: string | undefined,
  { module, moduleTitle, title, folder, record }: ResourceNames,
  fields: readonly FieldSpec[],
  first: FirstValues,
): string {
  const english = title.plural.charAt(0).toUpperCase() + title.plural.slice(1);
  const entry = `'${folder}': { zh_CN: '${title.zh_CN}', en: '${english}', records: '${record}' },`;
  const empty = `\
import { defineModule } from '#shared/module/module.ts';

export default defineModule({
  name: '${module}',
  title: { zh_CN: '${moduleTitle}', en: '${moduleTitle}' },
  version: '0.1.0',
  requires: ['System'],
});
`;
  let text = source ?? empty;
  if (!text.includes(`records: '${record}'`)) text = addEntry(text, 'defineModule', 'adminFolders', entry);
  for (const field of fields) {
    const key = field.type === 'dict' && field.argument;
    if (!key || first.has(key) || text.includes(`type_key: '${key}'`)) continue;
    const items = `{ value: '${firstValue}', name: '第一项', sort: 20 }, { value: 'second', name: '第二项', sort: 10 }`;
    const seed = `{ type_key: '${key}', name: ${quote(`${title.zh_CN} ${labelOf(field).zh_CN}`)}, public: true, items: [${items}] }`;
    text = addItem(text, 'defineModule', 'dictionaries', seed);
  }
  return text;
}

function editUninstall(source: string | undefined, { constant, files }: ResourceNames): string {
  const empty = `\
import { defineUninstall } from '#shared/module/module.ts';

export default defineUninstall({ run: async () => ({}) });
`;
  const text = source ?? empty;
  if (text.includes(`${constant}.removeAll()`)) return text;
  const entry = `${constant}: await ${constant}.removeAll(),`;
  const imports = new Map([[`./${files}/${files}.ts`, new Set([constant])]]);
  return addImports(addReturned(text, 'defineUninstall', 'run', entry), imports);
}

function editDemo(source: string | undefined, { constant, files }: ResourceNames): string {
  const empty = `\
import { defineDemo } from '#shared/module/demo.ts';

export default defineDemo({
  async fill(run) {},
  remove: {},
});
`;
  const text = source ?? empty;
  const [fill, remove] = [`fill${capitalise(constant)}`, `remove${capitalise(constant)}`];
  if (text.includes(`${fill}(`)) return text;
  const filled = addStatement(text, 'defineDemo', 'fill', `await ${fill}(run);`);
  const removed = addEntry(filled, 'defineDemo', 'remove', `${constant}: ${remove},`);
  return addImports(removed, new Map([[`./${files}/demo.ts`, new Set([fill, remove])]]));
}
