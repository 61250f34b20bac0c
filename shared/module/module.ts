import type { Key } from '#shared/db/items.ts';
import type { DictSeed } from '#shared/dict/seed.ts';
import type { LocalisedText } from '#shared/schema/component.ts';
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

/** Work that is done by the clock. */
export interface Job {
  /** How often, as AWS writes it: `rate(15 minutes)`. */
  schedule: string;
  limits?: { timeoutSeconds?: number; memoryMb?: number };
  /** Gives the deployed function the disk of the storage engine `local`, if there is one. */
  storage?: boolean;
  /**
   * Does the work, which may be run at any time, also twice at once.
   *
   * @param isOver says when to end, some seconds before the function is stopped
   * @returns what it did, for the log
   */
  run(isOver: () => boolean): Promise<object>;
}

/** Declares a job; a file in a module's `Jobs/` exports the result as default. */
export function defineJob(job: Job): Job {
  return job;
}

/** Work that follows changes of the table, whoever made them. */
export interface StreamListener {
  /** Prefixes of the partition keys whose changes it receives; other changes do not start it. */
  prefixes: readonly string[];
  /** Age at which a change is dropped, in seconds: 60 to 604,800. */
  maxAgeSeconds: number;
  limits?: { timeoutSeconds?: number; memoryMb?: number };
  /**
   * Does the work. A change may arrive more than once, and at several instances at a time.
   *
   * @param changed keys of the items that were written or deleted, by TTL too
   * @param modules manifests of the enabled modules
   * @returns what it did, for the log
   * @throws Error to receive all of these changes again
   */
  handle(changed: readonly Key[], modules: readonly ModuleManifest[]): Promise<object>;
}

/** Declares a listener; a file in a module's `Stream/` exports the result as default. */
export function defineStreamListener(listener: StreamListener): StreamListener {
  return listener;
}

/** How the data goes that a module keeps beside its dictionaries and settings. */
export interface Uninstall {
  /**
   * Removes the module's own items, in bounded pages, with what is counted of them. It may be run again, after
   * an interruption or where nothing is left.
   *
   * @returns how many of what were removed: `{ articles: 12 }`
   */
  run(): Promise<Record<string, number>>;
}

/**
 * Declares how a module's data goes; `uninstall.ts` beside its `module.ts` exports the result as default. Only
 * the command `module:uninstall` loads it, so that no function carries it.
 */
export function defineUninstall(uninstall: Uninstall): Uninstall {
  return uninstall;
}
