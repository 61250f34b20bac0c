import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as allIcons from '@element-plus/icons-vue';
import { type ESTree, type Plugin, parseAst } from 'vite';
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
      const icons = new Set<string>();
      const found = listFiles(kind).map((file) => {
        this.addWatchFile(join(root, file));
        const load = (path: string) => `() => import(${JSON.stringify(join(root, path))})`;
        const { source, icon } = readDeclaration(file, kind);
        if (icon) icons.add(icon);
        const card = cardOf(file);
        return `{ ${[
          `...${source}`,
          ...(icon ? [`picture: icon${icon}`] : []),
          `module: '${file.split('/')[1]}'`,
          `load: ${load(file)}`,
          ...(existsSync(join(root, card)) ? [`loadCard: ${load(card)}`] : []),
        ].join(', ')} }`;
      });
      const imported = [...icons].map((icon) => `${icon} as icon${icon}`).join(', ');
      // Only these are in the first load.
      return `import { ${imported} } from '@element-plus/icons-vue';
export const ${kind.list} = [${found.join(',\n')}];`;
    },
  };
}

/** The card of the start page that belongs to a page: `orders.card.vue` beside `orders.vue`. */
const cardOf = (file: string): string => file.replace(/\.(vue|ts)$/, '.card.vue');

/** The files of enabled modules, from the project's root. @throws Error naming a card without a page */
function listFiles(kind: Kind): string[] {
  const files = listFolder(kind.folder);
  const found = files.filter((file) => /\/[a-z][a-z0-9-]*\.(vue|ts)$/.test(file));
  const cards = new Set(found.map(cardOf));
  const lost = files.find((file) => file.endsWith('.card.vue') && !cards.has(file));
  if (lost) throw new Error(`${lost}: a card stands beside the page that it belongs to, which is missing`);
  return found;
}

/** The files directly in a folder of enabled modules. */
function listFolder(folder: string): string[] {
  const states: Record<string, { enabled: boolean }> = JSON.parse(
    readFileSync(join(root, 'modules/modules.json'), 'utf8'),
  );
  return Object.keys(states)
    .filter((name) => states[name]?.enabled)
    .map((name) => `modules/${name}/${folder}`)
    .filter((each) => existsSync(join(root, each)))
    .flatMap((each) => readdirSync(join(root, each)).map((file) => `${each}/${file}`));
}

interface Declaration {
  /** Source text of the declared object. */
  source: string;
  /** The icon that it names. */
  icon: string | undefined;
}

/** @throws Error naming a file without a declaration, or with an icon that does not exist */
function readDeclaration(file: string, { exported, advice }: Kind): Declaration {
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
      if (value) return { source: source.slice(value.start, value.end), icon: findIcon(file, value) };
    }
  }
  throw new Error(`${file}: ${advice} is missing`);
}

function findIcon(file: string, declared: ESTree.Argument | ESTree.Expression): string | undefined {
  if (declared.type !== 'ObjectExpression') return undefined;
  for (const property of declared.properties) {
    if (property.type !== 'Property' || property.key.type !== 'Identifier' || property.key.name !== 'icon')
      continue;
    const name = property.value.type === 'Literal' ? String(property.value.value) : '';
    if (!Object.hasOwn(allIcons, name))
      throw new Error(`${file}: @element-plus/icons-vue has no icon "${name}"`);
    return name;
  }
  return undefined;
}
