import { parseFields } from '#cli/resources/parse-field.ts';
import { planResource } from '#cli/resources/plan-resource.ts';
import { createResourceNames } from '#cli/resources/resource-names.ts';
import { copyProject, type ProjectCopy } from './project-copy.ts';
import { readShippedStates } from './shipped-modules.ts';

/** 0 → `A`, 25 → `Z`. */
const toLetter = (index: number): string => String.fromCharCode(65 + index);

/** Names of the resources of each module. */
export const resources = ['product', 'order', 'supplier', 'invoice', 'visit'];

/** A route by hand, beside the seven of each resource. */
const written = `import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { titled } from '#shared/schema/titled.ts';

export default admin.get({
  summary: { zh_CN: '单位', en: 'The unit' },
  data: z.strictObject({ unit: titled({ zh_CN: '单位', en: 'Unit' }, z.string()) }),
  handler: async () => ({ unit: 'piece' }),
});
`;

const fields = ['name:text(100) search label(名称|Name)', 'price:money optional label(价格|Price)'];

interface ManyModules extends ProjectCopy {
  /** Names of the made modules. */
  made: string[];
}

/**
 * A copy of the project with made modules, whose routes share a function for each folder.
 *
 * @param count of modules, up to 26, each with five resources of eight routes
 */
export function makeModules(count: number): ManyModules {
  const copy = copyProject(['package-lock.json', 'biome.json', 'native']);
  const made = Array.from({ length: count }, (_, index) => `Depot${toLetter(index)}`);
  for (const module of made) {
    for (const resource of resources) {
      copy.write(`modules/${module}/Admin/${resource}/unit.ts`, written);
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
