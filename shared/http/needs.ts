import type { Permission, PermissionTable } from '#shared/auth/permission.ts';
import type { Locale } from '#shared/i18n/locale.ts';
import type { JoinedContributions } from '#shared/module/contributions.ts';
import type { DeclaredJob } from '#shared/module/job.ts';
import type { ModuleManifest } from '#shared/module/module.ts';
import type { ToolRegistry } from '#shared/tools/registry.ts';

/** Data of all enabled modules that a route may ask for. Its function is deployed with every module. */
export interface Needs {
  modules: readonly ModuleManifest[];
  tools: ToolRegistry;
  /** What modules show on the pages of others. */
  contributions: JoinedContributions;
  /** The OpenAPI document of all enabled routes in each locale, made at build time. */
  documents: Record<Locale, () => Promise<{ default: Record<string, unknown> }>>;
  /** Permissions of all enabled routes and tools. */
  permissions: readonly Permission[];
  /** The same with titles. */
  permissionTable: PermissionTable;
  /** The jobs of all enabled modules. */
  jobs: readonly DeclaredJob[];
  console: ConsoleFiles;
}
export type Need = keyof Needs;

/** What the build and the generator wrote for the console. */
export interface ConsoleFiles {
  /** The built files by path: `index.html`, `assets/…`. Undefined if the console is not built. */
  site(): Promise<{ default: BuiltSite | undefined }>;
  /** The admin routes, for generated pages. */
  description(): Promise<{ default: unknown }>;
}

/** A function for each file; it loads the brotli-compressed content, in base64. */
export type BuiltSite = Readonly<Record<string, () => Promise<{ default: string }>>>;
