import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Plugin, parseAst } from 'vite';
import { parse } from 'vue/compiler-sfc';

const root = join(import.meta.dirname, '..');
const virtualId = 'virtual:module-pages';

/**
 * The module `virtual:module-pages`: the declarations of all pages in `modules/X/Console/` of enabled modules, each with
 * a function that loads the page. Only the declaration is in the first load.
 */
export function modulePages(): Plugin {
  return {
    name: 'module-pages',
    resolveId: (id) => (id === virtualId ? `\0${virtualId}` : undefined),
    load(id) {
      if (id !== `\0${virtualId}`) return undefined;
      const icons = new Set<string>();
      const pages = listPageFiles().map((file) => {
        this.addWatchFile(join(root, file));
        const path = JSON.stringify(join(root, file));
        const declaration = readDeclaration(file);
        const [, icon] = /\bicon:\s*['"]([A-Z]\w*)['"]/.exec(declaration) ?? [];
        if (icon) icons.add(icon);
        const picture = icon ? `picture: icon${icon}, ` : '';
        return `{ ...${declaration}, ${picture}module: '${file.split('/')[1]}', load: () => import(${path}) }`;
      });
      const imported = [...icons].map((icon) => `${icon} as icon${icon}`).join(', ');
      // Only these are in the first load.
      return `import { ${imported} } from '@element-plus/icons-vue';
export const modulePages = [${pages.join(',\n')}];`;
    },
  };
}

/** The page files of enabled modules, from the project's root. */
function listPageFiles(): string[] {
  const states: Record<string, { enabled: boolean }> = JSON.parse(
    readFileSync(join(root, 'modules/modules.json'), 'utf8'),
  );
  return Object.keys(states)
    .filter((name) => states[name]?.enabled)
    .map((name) => `modules/${name}/Console`)
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder))
        .filter((file) => /^[a-z][a-z0-9-]*\.(vue|ts)$/.test(file))
        .map((file) => `${folder}/${file}`),
    );
}

/** Source text of `export const page = { … }`. @throws Error naming a file without it */
function readDeclaration(file: string): string {
  const text = readFileSync(join(root, file), 'utf8');
  const source = file.endsWith('.vue') ? (parse(text).descriptor.script?.content ?? '') : text;
  const { body } = parseAst(source, { lang: 'ts' });
  for (const statement of body) {
    if (statement.type !== 'ExportNamedDeclaration') continue;
    const { declaration } = statement;
    if (declaration?.type !== 'VariableDeclaration') continue;
    for (const { id, init } of declaration.declarations) {
      if (id.type !== 'Identifier' || id.name !== 'page' || !init) continue;
      const value = init.type === 'CallExpression' ? init.arguments[0] : init;
      if (value) return source.slice(value.start, value.end);
    }
  }
  throw new Error(`${file}: export const page = definePage({ path, title, … }) is missing`);
}
