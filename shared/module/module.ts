import type { DictSeed } from '#shared/dict/seed.ts';
import type { LocalisedText } from '#shared/schema/localised-text.ts';
import type { ConfigGroup } from '#shared/settings/group.ts';

/** What a module declares of itself in its `module.ts`. */
export interface ModuleManifest {
  /** Name of the module's folder, in PascalCase. */
  name: string;
  /** Title for operators, by locale. */
  title: LocalisedText;
  /** Semantic version. */
  version: string;
  /** Names of modules without which this one does not work. */
  requires?: readonly string[];
  /** Settings that operators may change. */
  configs?: readonly ConfigGroup[];
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
