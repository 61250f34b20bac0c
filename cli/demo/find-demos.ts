import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Demo } from '#shared/module/demo.ts';
import type { ModuleManifest } from '#shared/module/module.ts';
import { root } from '../project.ts';

/** The demo of a module. */
export interface FoundDemo {
  module: string;
  demo: Demo;
}

/** The demos of modules, each after those that its module requires. */
export async function findDemos(manifests: readonly ModuleManifest[]): Promise<FoundDemo[]> {
  const found = await Promise.all(orderByRequirements(manifests).map(({ name }) => loadDemo(name)));
  return found.filter((each) => each !== undefined);
}

async function loadDemo(module: string): Promise<FoundDemo | undefined> {
  const file = join(root, 'modules', module, 'demo.ts');
  if (!existsSync(file)) return undefined;
  const { default: demo }: { default: Demo } = await import(pathToFileURL(file).href);
  return { module, demo };
}

/** Modules, each after those that it requires. Their checks refuse circles before. */
export function orderByRequirements(manifests: readonly ModuleManifest[]): ModuleManifest[] {
  const ordered = new Set<ModuleManifest>();
  const add = (manifest: ModuleManifest) => {
    for (const name of manifest.requires ?? []) {
      const required = manifests.find((each) => each.name === name);
      if (required && !ordered.has(required)) add(required);
    }
    ordered.add(manifest);
  };
  for (const manifest of manifests) add(manifest);
  return [...ordered];
}
