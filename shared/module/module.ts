import type { DictSeed } from '#shared/dict/seed.ts';

/** What a module declares of itself in its `module.ts`. */
export interface ModuleManifest {
  /** Name of the module's folder, in PascalCase. */
  name: string;
  /** Title for operators, by locale. */
  title: { zh_CN: string; en: string };
  /** Semantic version. */
  version: string;
  /** Names of modules without which this one does not work. */
  requires?: readonly string[];
  /** Dictionaries that are there after installation; what operators change in them stays. */
  dictionaries?: readonly DictSeed[];
}

/** Declares a module; its `module.ts` exports the result as default. */
export function defineModule(manifest: ModuleManifest): ModuleManifest {
  return manifest;
}

/**
 * The route prefix of a module (specification, "Endpoints"): its directory name in kebab-case, `System` →
 * `system`, `UserCenter` → `user-center`. A run of capitals counts as one word but for the last before a
 * lowercase letter: `AIChat` → `ai-chat`.
 */
export function toRoutePrefix(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1-$2')
    .toLowerCase();
}

/** PascalCase: the form of a module's directory name. */
export const moduleNamePattern = /^[A-Z][A-Za-z0-9]*$/;
