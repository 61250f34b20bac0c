import { existsSync, globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { join, relative } from 'node:path';
import { type BuildFailure, build, type Message, type PartialMessage, type Plugin } from 'esbuild';
import { listEnabled, readModuleStates } from '#functions/discover/module-states.ts';
import { areas } from '#functions/discover/route-path.ts';
import { modulesFolder } from '#functions/model.ts';

/** Most faults that are listed. */
const limit = 10;

/** The files of a module that functions begin with. */
const declarations = [
  '{module,errors,throttles}.ts',
  `{${areas.map(({ folder }) => folder).join(',')},Jobs,Stream,Mcp/Tools,Ai/Tools}/**/*.ts`,
  'lang/*.json',
];

/**
 * Reads all files that functions can load, also those that they load on first use.
 *
 * @returns files that cannot be read, imports that do not exist: `modules/Shop/kinds.ts:3:14: Expected ";"`
 */
export async function findBrokenSources(root: string): Promise<string[]> {
  const folders = listEnabled(readModuleStates(root)).map((name) => join(root, modulesFolder, name));
  const declared = folders
    .filter((home) => existsSync(home))
    .flatMap((cwd) => globSync(declarations, { cwd }).map((file) => join(cwd, file)));
  const files = [...globSync(join(root, 'shared/**/*.ts')), ...declared].sort();
  const contents = files.map((file, index) => `export * as file${index} from ${JSON.stringify(file)};`);
  try {
    await build({
      absWorkingDir: root,
      stdin: { contents: contents.join('\n'), resolveDir: root },
      bundle: true,
      write: false,
      format: 'esm',
      platform: 'node',
      packages: 'external',
      logLevel: 'silent',
      plugins: [asNode],
    });
    return [];
  } catch (error) {
    if (!isFailure(error)) throw error;
    return error.errors.slice(0, limit).map(describe);
  }
}

const isFailure = (error: unknown): error is BuildFailure => Array.isArray(Object(error).errors);

/** Removes types as Node does, at the same places: esbuild accepts more TypeScript, and imports that do not exist. */
const asNode: Plugin = {
  name: 'as-node',
  setup: ({ initialOptions, onLoad }) =>
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      try {
        return { contents: stripTypeScriptTypes(source), loader: 'js' };
      } catch (error) {
        const fault = readFault(relative(initialOptions.absWorkingDir ?? '', path), error);
        // Without a line, esbuild finds the fault.
        return fault ? { errors: [fault] } : { contents: source, loader: 'ts' };
      }
    }),
};

/** The stack of Node's error begins with `:3`, the line, and marks the column below the source. */
function readFault(file: string, error: unknown): PartialMessage | undefined {
  if (!(error instanceof Error)) return undefined;
  const [, line, shown = ''] = /^:(\d+)\n([\s\S]*)/.exec(error.stack ?? '') ?? [];
  if (line === undefined) return undefined;
  const column = /^ *(?=\^+$)/m.exec(shown)?.[0].length ?? 0;
  return { text: error.message, location: { file, line: Number(line), column } };
}

function describe({ location, text }: Message): string {
  // Columns of esbuild begin with 0.
  return location ? `${location.file}:${location.line}:${location.column + 1}: ${text}` : text;
}
