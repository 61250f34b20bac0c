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
      const pages = listPageFiles().map((file) => {
        this.addWatchFile(join(root, file));
        const path = JSON.stringify(join(root, file));
        const card = cardOf(file);
        const loadCard = existsSync(join(root, card))
          ? `, loadCard: () => import(${JSON.stringify(join(root, card))})`
          : '';
        return `{ ...${readDeclaration(file)}, module: '${file.split('/')[1]}', load: () => import(${path})${loadCard} }`;
      });
      return `export const modulePages = [${pages.join(',\n')}];`;
    },
  };
}

/** The card of the start page that belongs to a page: `orders.card.vue` beside `orders.vue`. */
const cardOf = (file: string): string => file.replace(/\.(vue|ts)$/, '.card.vue');

/** The page files of enabled modules, from the project's root. @throws Error naming a card without a page */
function listPageFiles(): string[] {
  const files = listConsoleFiles();
  const pages = files.filter((file) => /\/[a-z][a-z0-9-]*\.(vue|ts)$/.test(file));
  const cards = new Set(pages.map(cardOf));
  const lost = files.find((file) => file.endsWith('.card.vue') && !cards.has(file));
  if (lost) throw new Error(`${lost}: a card stands beside the page that it belongs to, which is missing`);
  return pages;
}

/** The files directly in the folders `Console/` of enabled modules. */
function listConsoleFiles(): string[] {
  const states: Record<string, { enabled: boolean }> = JSON.parse(
    readFileSync(join(root, 'modules/modules.json'), 'utf8'),
  );
  return Object.keys(states)
    .filter((name) => states[name]?.enabled)
    .map((name) => `modules/${name}/Console`)
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => readdirSync(join(root, folder)).map((file) => `${folder}/${file}`));
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
