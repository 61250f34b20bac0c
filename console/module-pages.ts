import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Plugin, parseAst } from 'vite';
import { parse } from 'vue/compiler-sfc';

const root = join(import.meta.dirname, '..');

/** What modules bring, by the virtual module that lists it. */
const kinds = {
  'virtual:module-pages': {
    list: 'modulePages',
    folder: 'Console',
    exported: 'page',
    advice: 'export const page = definePage({ path, title, … })',
  },
  'virtual:module-buttons': {
    list: 'moduleButtons',
    folder: 'Console/buttons',
    exported: 'button',
    advice: 'export const button = defineButton({ page, slot, … })',
  },
};
type Kind = (typeof kinds)[keyof typeof kinds];

/**
 * The modules `virtual:module-pages` and `virtual:module-buttons`: the declarations of all files in `Console/` or
 * `Console/buttons/` of enabled modules, each with a function that loads the file. Only declarations are loaded at once.
 */
export function modulePages(): Plugin {
  return {
    name: 'module-pages',
    resolveId: (id) => (Object.hasOwn(kinds, id) ? `\0${id}` : undefined),
    load(id) {
      const [, kind] = Object.entries(kinds).find(([name]) => id === `\0${name}`) ?? [];
      if (!kind) return undefined;
      const found = listFiles(kind).map((file) => {
        this.addWatchFile(join(root, file));
        const path = JSON.stringify(join(root, file));
        return `{ ...${readDeclaration(file, kind)}, module: '${file.split('/')[1]}', load: () => import(${path}) }`;
      });
      return `export const ${kind.list} = [${found.join(',\n')}];`;
    },
  };
}

/** The files of enabled modules, from the project's root. */
function listFiles(kind: Kind): string[] {
  const states: Record<string, { enabled: boolean }> = JSON.parse(
    readFileSync(join(root, 'modules/modules.json'), 'utf8'),
  );
  return Object.keys(states)
    .filter((name) => states[name]?.enabled)
    .map((name) => `modules/${name}/${kind.folder}`)
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder))
        .filter((file) => /^[a-z][a-z0-9-]*\.(vue|ts)$/.test(file))
        .map((file) => `${folder}/${file}`),
    );
}

/** Source text of the declared object. @throws Error naming a file without it */
function readDeclaration(file: string, { exported, advice }: Kind): string {
  const text = readFileSync(join(root, file), 'utf8');
  const source = file.endsWith('.vue') ? (parse(text).descriptor.script?.content ?? '') : text;
  const { body } = parseAst(source, { lang: 'ts' });
  for (const statement of body) {
    if (statement.type !== 'ExportNamedDeclaration') continue;
    const { declaration } = statement;
    if (declaration?.type !== 'VariableDeclaration') continue;
    for (const { id, init } of declaration.declarations) {
      if (id.type !== 'Identifier' || id.name !== exported || !init) continue;
      const value = init.type === 'CallExpression' ? init.arguments[0] : init;
      if (value) return source.slice(value.start, value.end);
    }
  }
  throw new Error(`${file}: ${advice} is missing`);
}
