import { parseFields } from '#cli/resources/parse-field.ts';
import { planResource } from '#cli/resources/plan-resource.ts';
import { createResourceNames } from '#cli/resources/resource-names.ts';
import { copyProject, type ProjectCopy } from './project-copy.ts';
import { readShippedStates } from './shipped-modules.ts';

/** 0 → `A`, 25 → `Z`. */
const toLetter = (index: number): string => String.fromCharCode(65 + index);

const resources = ['product', 'order', 'supplier', 'invoice', 'visit', 'claim'];
/** Modules with all of them; the others have one less. */
const largeModules = 18;
/** Names of the resources of a module. @param index of the module, from 0 */
export const resourcesOf = (index: number): string[] =>
  index < largeModules ? resources : resources.slice(0, -1);

const fields = ['name:text(100) search label(名称|Name)', 'price:money optional label(价格|Price)'];

interface ManyModules extends ProjectCopy {
  /** Names of the made modules. */
  made: string[];
}

/**
 * A copy of the project with made modules, whose routes share a function for each folder.
 *
 * @param count of modules, up to 26, each with five or six resources of seven routes
 */
export function makeModules(count: number): ManyModules {
  const copy = copyProject(['package-lock.json', 'biome.json']);
  const made = Array.from({ length: count }, (_, index) => `Depot${toLetter(index)}`);
  for (const [index, module] of made.entries()) {
    for (const resource of resourcesOf(index)) {
      const names = createResourceNames(module, resource);
      const parts = { isOpen: false, isOwn: false, hasTools: false };
      const plan = planResource(names, parseFields(fields), parts, { root: copy.root, modules: [] });
      for (const [file, text] of [...plan.made, ...plan.changed]) {
        const isManifest = file === `modules/${module}/module.ts` && plan.made.has(file);
        copy.write(
          file,
          isManifest ? text.replace('  version:', "  functions: 'folder',\n  version:") : text,
        );
      }
    }
  }
  copy.enable(...readShippedStates().keys(), ...made);
  return { ...copy, made };
}
