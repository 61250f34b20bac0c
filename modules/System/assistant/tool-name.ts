/** The name of a tool as providers allow it: `system.overview` → `system__overview`. */
export const toProviderName = (name: string): string => name.replace('.', '__');

/** The tool that a model means by a name. */
export const toToolName = (providerName: string): string => providerName.replace('__', '.');
