import { folderOf } from '#cli/commands/modules/module-files.ts';
import { renderModule } from '#cli/templates/module.ts';
import { createNames, type Names } from '#cli/templates/names.ts';
import type { ProjectCopy } from '../support/project-copy.ts';
import { parts } from './parts.ts';

type PartName = keyof typeof parts;

interface Wanted {
  parts: PartName[];
  requires?: string[];
}

/** Modules of every kind, by name. */
export const wantedModules: Record<string, Wanted> = {
  Helpdesk: { parts: ['records', 'tools', 'settings', 'job', 'listener', 'userRoutes'] },
  AIDesk: { parts: ['records', 'tools', 'ownTool'] },
  Order: { parts: ['records', 'publicPart', 'userRoutes'] },
  OrderReport: { parts: ['ownTool', 'publicKinds'], requires: ['Order'] },
  Billing: { parts: ['settings', 'job'] },
  Survey2: { parts: ['userRoutes', 'webRoute'] },
  Calendar: { parts: ['job', 'ownTool'] },
  Notice: { parts: ['listener', 'settings'] },
  Yard: { parts: ['records', 'numbered', 'listener'] },
  Zone: { parts: [], requires: ['UserCenter', 'Article'] },
};

/** The files of a module: those of `module:make`, with its parts. */
function renderWanted(name: string, { parts: chosen, requires = [] }: Wanted): Map<string, string> {
  const names = createNames(name);
  const home = folderOf(name);
  const files = new Map(renderModule(names, home));
  for (const part of chosen) {
    const sources = Object.entries(parts[part](names, requires));
    for (const [file, text] of sources) files.set(`${home}/${file}`, text.replace(/^\n/, ''));
  }
  const manifest = files.get(`${home}/module.ts`) ?? '';
  files.set(`${home}/module.ts`, declare(manifest, names, chosen, requires));
  return files;
}

/** Adds to a manifest what its parts declare. */
function declare(
  manifest: string,
  { prefix, codes }: Names,
  chosen: readonly PartName[],
  requires: readonly string[],
) {
  const required = ['System', ...requires].map((name) => `'${name}'`).join(', ');
  const hasRecords = chosen.includes('records');
  const hasSettings = chosen.includes('settings');
  const cases = `case: { zh_CN: '工单', en: 'Cases', records: '${codes}_case' }`;
  const shelves = `shelf: { zh_CN: '货架', en: 'Shelves', records: '${codes}_shelf' }`;
  return manifest
    .replace("requires: ['System']", `requires: [${required}]`)
    .replace('adminFolders: {', hasRecords ? `adminFolders: { ${cases},` : 'adminFolders: {')
    .replace(
      'adminFolders: {',
      chosen.includes('numbered') ? `adminFolders: { ${shelves},` : 'adminFolders: {',
    )
    .replace('roles: {', hasRecords ? `roles: { editor: ['${prefix}/case:write'],` : 'roles: {')
    .replace(
      /^import \{ defineModule/m,
      hasSettings ? "import { desk } from './desk/settings.ts';\n$&" : '$&',
    )
    .replace(/^ {2}dictionaries,$/m, hasSettings ? '  configs: [desk],\n$&' : '$&');
}

/** Writes modules and enables them. @returns their folders */
export function writeModules(copy: Pick<ProjectCopy, 'write'>, modules = wantedModules): string[] {
  for (const [name, wanted] of Object.entries(modules)) {
    for (const [file, text] of renderWanted(name, wanted)) copy.write(file, text);
  }
  return Object.keys(modules).map(folderOf);
}
