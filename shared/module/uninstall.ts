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
