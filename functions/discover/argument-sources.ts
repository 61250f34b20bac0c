import type * as z from 'zod/mini';
import { fieldsOf, type Schema } from '#shared/schema/definition.ts';
import { type Hints, hints } from '#shared/schema/titled.ts';
import type { ArgumentSource, McpTool } from '#shared/tools/mcp-tool.ts';
import { readLayers } from '../console/layers.ts';
import type { Manifest } from '../model.ts';
import { findRouteOf, toPermissionPath } from './permissions.ts';

const dictionaryItems = 'system/setting/dict/data';

/** Finds the tools that list the values of arguments: those of a dictionary, and the IDs of records. */
export function createSourceFinder({
  tools,
  routes = [],
}: Pick<Manifest, 'tools'> & { routes?: Manifest['routes'] | undefined }) {
  const folderOf = (tool: McpTool, ending = '') => {
    const path = toPermissionPath(findRouteOf(tool, routes)?.path ?? '');
    return path.endsWith(ending) ? path.slice(0, path.lastIndexOf('/')) : undefined;
  };
  const listing = new Map<string | undefined, string>();
  for (const { tool } of tools) if (tool.access === 'read') listing.set(folderOf(tool, '/list'), tool.name);
  const items = listing.get(dictionaryItems);

  function findSource(tool: McpTool, name: string, field: Schema): ArgumentSource | undefined {
    const { dictionary, refersTo } = hintsOf(field);
    if (dictionary !== undefined)
      return items === undefined ? undefined : { tool: items, arguments: { type_key: dictionary } };
    // The ID of a route without a hint is that of its own records.
    const lister = listing.get(refersTo ?? (name === 'id' ? folderOf(tool) : undefined) ?? '');
    return lister === undefined ? undefined : { tool: lister };
  }

  return (tool: McpTool): Record<string, ArgumentSource> => {
    const fields = Object.entries(fieldsOf(tool.inputSchema));
    return Object.fromEntries(
      fields.flatMap(([name, field]) => {
        const source = findSource(tool, name, field);
        return source ? [[name, source]] : [];
      }),
    );
  };
}

/** The hints of a field and of all that it wraps; outer ones win. */
function hintsOf(field: Schema): Partial<Hints> {
  const layers = readLayers(field, 'output').list.toReversed();
  return Object.assign({}, ...layers.map((layer: z.core.$ZodType) => hints.get(layer)));
}
