import type { Key } from '#shared/db/items.ts';
import type { Mirror } from '#shared/db/mirrors.ts';
import type { DictSeed } from '#shared/dict/seed.ts';
import type { LocalisedText } from '#shared/schema/component.ts';
import type { ConfigGroup } from '#shared/settings/group.ts';
import type { FunctionLimits } from './job.ts';

export { defineJob, type FunctionLimits, type Job, type JobRun } from './job.ts';

/** A folder of routes for administrators. */
export interface AdminFolder extends LocalisedText {
  /** First part of its records' names in the audit log: `article` of `article:01J…`. With it, they show their history. */
  records?: string;
  /** What its page is for, in a sentence. An empty list shows it. */
  purpose?: LocalisedText;
  /**
   * Address of the console that shows one of its records; each `{}` stands for a key of the record, in their order:
   * `shop/order?customer={}`. @default the detail on the page of the folder
   */
  to?: string;
}

/** The declaration in a module's `module.ts`. */
export interface ModuleManifest {
  /** Name of the module's folder, in PascalCase. */
  name: string;
  /** Title for operators, by locale. */
  title: LocalisedText;
  /** Semantic version. */
  version: string;
  /** Whether the service does not work without this module: then it cannot be removed. */
  isNeeded?: boolean;
  /**
   * `folder`: the routes of a folder share a function, and so an integration of the HTTP API. Routes with `needs` share
   * one of the module; those with `storage`, memory or concurrency keep their own. For modules with many routes:
   * docs/decisions/0054-functions-of-folders.md.
   *
   * @default 'route': a function for each route
   */
  functions?: 'route' | 'folder';
  /** Names of modules that this one needs. */
  requires?: readonly string[];
  /**
   * Titles of the folders in `Admin/`, for menus and roles: `{ 'setting/dict': … }`. `title` is that of `Admin/`
   * itself.
   */
  adminFolders?: Readonly<Record<string, AdminFolder>>;
  /** What roles of the first installation may do here, by name: `{ editor: ['shop/order:write'] }`. */
  roles?: Readonly<Record<string, readonly string[]>>;
  /** Settings that operators may change. */
  configs?: readonly ConfigGroup[];
  /** Dictionaries that the installation creates; it keeps changes of operators. */
  dictionaries?: readonly DictSeed[];
}

/** Declares a module; its `module.ts` exports the result as default. */
export const defineModule = (manifest: ModuleManifest): ModuleManifest => manifest;

/** The route prefix of a module (specification, "Endpoints"): its name in kebab-case, `AIChat` → `ai-chat`. */
export function toRoutePrefix(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1-$2')
    .toLowerCase();
}

/** PascalCase: the form of a module's directory name. */
export const moduleNamePattern = /^[A-Z][A-Za-z0-9]*$/;

/** Work after changes of the table. */
export interface StreamListener {
  /** Prefixes of the partition keys whose changes start it. */
  prefixes: readonly string[];
  /** Age at which a change is dropped, in seconds: 60 to 604,800. */
  maxAgeSeconds: number;
  limits?: FunctionLimits;
  /**
   * Returns fields for the log. A change may arrive more than once, and at several instances at a time.
   *
   * @param changed keys of the items that were written or deleted, by TTL too
   * @throws Error to receive all of these changes again
   */
  handle(changed: readonly Key[], cached?: readonly CachedRecords[]): Promise<object>;
}

/** Declares a listener; a file in a module's `Stream/` exports the result as default. */
export const defineStreamListener = (listener: StreamListener): StreamListener => listener;

/** The records of an entity that caches mirror. */
export interface CachedRecords {
  /** Begins their partition keys. */
  prefix: string;
  mirrors: readonly Mirror[];
}

/** Work after changes of all records that a cache mirrors. The build finds them. */
export interface CacheListener extends Pick<StreamListener, 'limits'> {
  /** As that of {@link StreamListener}. */
  handle(changed: readonly Key[], cached: readonly CachedRecords[]): Promise<object>;
}

const followsCaches = Symbol.for('administration-backend.cache-listener');

/** Declares a listener for the records that caches mirror; a file in a module's `Stream/` exports the result as default. */
export const defineCacheListener = (listener: CacheListener): CacheListener =>
  Object.assign({ [followsCaches]: true }, listener);

export const isCacheListener = (listener: object): boolean => followsCaches in listener;

/** Removes the data of a module, except for dictionaries and settings. */
export interface Uninstall {
  /**
   * Removes the module's items and their counters, in bounded pages. Idempotent; a repeat finishes an interrupted run.
   *
   * @returns the number of removed items by kind: `{ articles: 12 }`
   */
  run(): Promise<Record<string, number>>;
}

/** Declares the removal of a module's data, for its `uninstall.ts`; only the command `module:uninstall` loads it. */
export const defineUninstall = (uninstall: Uninstall): Uninstall => uninstall;
