import type { Sources } from '../modules/folders.ts';
import type { Names } from './names.ts';
import * as sources from './sources.ts';
import { renderTest } from './test.ts';

/**
 * The files of a new module: a route for administrators and one for everybody, a dictionary that both read, a
 * tool with its adapter, and a test.
 *
 * @param folders where they lie, from the project's root
 */
export function renderModule(names: Names, folders: { sources: string; tests: string }): Sources {
  const own = {
    'module.ts': sources.renderManifest(names),
    'data/dictionaries.ts': sources.renderDictionaries(names),
    'data/list-kinds.ts': sources.renderReader(),
    'Admin/kind/list.ts': sources.renderAdminRoute(),
    'Api/kind/list.ts': sources.renderUserRoute(),
    'Mcp/Tools/ListKindsTool.ts': sources.renderTool(names),
    'Ai/Tools/ListKindsTool.ts': sources.renderAdapter(),
  };
  return new Map([
    [`${folders.tests}/${names.prefix}.test.ts`, renderTest(names)],
    ...Object.entries(own).map(([file, text]): [string, string] => [`${folders.sources}/${file}`, text]),
  ]);
}
