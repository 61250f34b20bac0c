import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Metafile, Plugin } from 'esbuild';
import { wholeStack } from '../stacks/stack.ts';

/** esbuild's report about the bundle of a function. */
export interface BundleReport {
  /** Its source files, from the project's root. */
  inputs: readonly string[];
  /** Those with code in it. */
  sources: readonly string[];
  /** Names of the npm packages in it. */
  packages: ReadonlySet<string>;
  /** Its files, from the folder of all bundles: the entry and the chunks that it imports. */
  outputs: readonly string[];
}

export type BundleOutputs = Pick<Metafile, 'outputs'>;

type FunctionPackage = { package?: { patterns?: string[] } };

/** The framework's functions, with the content of their packages. */
export type BundledService = { functions: Record<string, FunctionPackage> };

/** The bundles of this process, by function name. */
export const bundleReports = new Map<string, BundleReport>();
/** All written files, with source maps and unused chunks. */
const known = new Set<string>();

/** Working folder of `serverless-esbuild` for a stack, from the project's root. */
export const bundleFolder = (stack = process.env.MODULE || wholeStack): string => `.build/esbuild/${stack}`;

/** The folder for the bundles; they have the same relative paths as the entries in the project. */
export const codeFolder = (stack?: string): string => `${bundleFolder(stack)}/code`;

/** Path of a bundle's file in a package. */
export const toPackagePath = (file: string, stack?: string): string =>
  file.slice(codeFolder(stack).length + 1);

/** esbuild's report about a function, for the package checks in another process. */
const reportFile = (name: string, stack?: string): string => `${bundleFolder(stack)}/reports/${name}.json`;

/** @param root the project's folder */
export const readOutputs = (root: string, stack: string, name: string): BundleOutputs =>
  JSON.parse(readFileSync(join(root, reportFile(name, stack)), 'utf8'));

/**
 * Gives each package only its own chunks. `serverless-esbuild` builds all functions into one folder and would pack
 * all its chunks into every function. It reads the patterns after the last build.
 */
export const keepChunksApart = ({ functions }: BundledService): Plugin => ({
  name: 'keep-chunks-apart',
  setup({ initialOptions, onEnd }) {
    // As an option, it would add a metafile to every package.
    initialOptions.metafile = true;
    onEnd(({ metafile }) => {
      const [entry] = Object.values(initialOptions.entryPoints ?? {});
      if (!metafile || typeof entry !== 'string') return;
      const name = basename(entry, '.mjs');
      const file = join(initialOptions.absWorkingDir ?? '.', reportFile(name));
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, JSON.stringify({ outputs: metafile.outputs }));
      for (const output of Object.keys(metafile.outputs)) known.add(toPackagePath(output));
      const inputs = Object.keys(metafile.inputs);
      const outputs = listReached(metafile).map((output) => toPackagePath(output));
      const sources = listSources(metafile);
      bundleReports.set(name, { inputs, sources, packages: listPackages(inputs), outputs });
      for (const [key, { outputs: own }] of bundleReports) excludeForeign(functions[key], new Set(own));
    });
  },
});

/** Excludes the files of other functions from a package. */
function excludeForeign(definition: FunctionPackage | undefined, own: ReadonlySet<string>): void {
  if (!definition) return;
  const given = definition.package?.patterns?.filter((pattern) => !pattern.startsWith('!')) ?? [];
  const foreign = [...known].filter((file) => !own.has(file)).map((file) => `!${file}`);
  definition.package = { ...definition.package, patterns: [...given, ...foreign] };
}

/** Names of the npm packages of source files. */
export const listPackages = (inputs: readonly string[]): ReadonlySet<string> =>
  new Set(inputs.flatMap((input) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1] ?? []));

/** Source files whose code is in a bundle; an import of types adds none. */
export function listSources({ outputs }: BundleOutputs): string[] {
  const included = listReached({ outputs }).flatMap((file) => Object.entries(outputs[file]?.inputs ?? {}));
  return [...new Set(included.flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : [])))];
}

/** The entry of a bundle and the chunks that it imports. @param isStart leaves out files that load on first use */
export function listReached({ outputs }: BundleOutputs, isStart = false): string[] {
  const reached = new Set(
    Object.keys(outputs).filter((file) => outputs[file]?.entryPoint?.startsWith('.build/entries/')),
  );
  for (const file of reached) {
    for (const { path, kind, external } of outputs[file]?.imports ?? []) {
      if (!external && !(isStart && kind === 'dynamic-import')) reached.add(path);
    }
  }
  return [...reached];
}
