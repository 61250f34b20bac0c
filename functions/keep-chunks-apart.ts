import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Metafile, Plugin } from 'esbuild';
import { wholeStack } from './stacks/stack.ts';

/** What esbuild reports of the bundle of a function. */
export interface BundleReport {
  /** Its source files, from the project's root. */
  inputs: readonly string[];
  /** The npm packages that it holds something of. */
  packages: ReadonlySet<string>;
  /** The files that it consists of, from the folder of all bundles: the entry, and the chunks that it reaches. */
  outputs: readonly string[];
}

/** What esbuild reports of the files that it has written. */
export type BundleOutputs = Pick<Metafile, 'outputs'>;

/** The part of the framework's service that says what a package holds. */
export interface BundledService {
  functions: Record<string, { package?: { patterns?: string[] } }>;
}

const reports = new Map<string, BundleReport>();
/** All files that were written, source maps and chunks that no code loads included. */
const known = new Set<string>();

/** The bundles that this process has made, by the names of their functions. */
export const bundleReports: ReadonlyMap<string, BundleReport> = reports;

/** The folder that `serverless-esbuild` works in, from the project's root: one for each stack. */
export const bundleFolder = (stack = process.env.MODULE || wholeStack): string => `.build/esbuild/${stack}`;

/** The folder in it for the bundles, which lie there as their entries do in the project. */
export const codeFolder = (stack?: string): string => `${bundleFolder(stack)}/code`;

/** The report of a function's bundle, for the checks of its package in another process. */
const reportFile = (stack: string | undefined, name: string): string =>
  `${bundleFolder(stack)}/reports/${name}.json`;

/** What esbuild reported when the function was packaged with this stack. @param root the project's folder */
export const readOutputs = (root: string, stack: string, name: string): BundleOutputs =>
  JSON.parse(readFileSync(join(root, reportFile(stack, name)), 'utf8'));

/** The path of a bundle's file in a package. */
export const placeInPackage = (file: string, stack?: string): string =>
  file.slice(codeFolder(stack).length + 1);

/**
 * Gives each package its own chunks. `serverless-esbuild` builds each function by itself, but into one folder, and
 * packs all chunks of that folder into every function. It reads the patterns after the last build.
 */
export const keepChunksApart = (service: BundledService): Plugin => ({
  name: 'keep-chunks-apart',
  setup(build) {
    // As an option it would make serverless-esbuild write a file for each function into every package.
    build.initialOptions.metafile = true;
    build.onEnd(({ metafile }) => {
      const [entry] = Object.values(build.initialOptions.entryPoints ?? {});
      if (!metafile || typeof entry !== 'string') return;
      const name = basename(entry, '.mjs');
      const report = join(build.initialOptions.absWorkingDir ?? '.', reportFile(undefined, name));
      mkdirSync(dirname(report), { recursive: true });
      writeFileSync(report, JSON.stringify({ outputs: metafile.outputs }));
      for (const file of Object.keys(metafile.outputs)) known.add(placeInPackage(file));
      const outputs = listReached(metafile).map((file) => placeInPackage(file));
      const inputs = Object.keys(metafile.inputs);
      reports.set(name, { inputs, packages: listPackages(inputs), outputs });
      excludeForeign(service);
    });
  },
});

/** Names of the npm packages that source files belong to. */
export const listPackages = (inputs: readonly string[]): ReadonlySet<string> =>
  new Set(inputs.flatMap((input) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1] ?? []));

/**
 * A bundle's files: the entry, and all that it imports. esbuild also writes chunks that nothing imports.
 *
 * @param isStart whether files that load on first use are left out
 */
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

/** Excludes from each package the files that its function does not reach. */
function excludeForeign({ functions }: BundledService): void {
  for (const [name, { outputs }] of reports) {
    const definition = functions[name];
    if (!definition) continue;
    const own = new Set(outputs);
    const foreign = [...known].filter((file) => !own.has(file)).map((file) => `!${file}`);
    const given = definition.package?.patterns?.filter((pattern) => !pattern.startsWith('!')) ?? [];
    definition.package = { ...definition.package, patterns: [...given, ...foreign] };
  }
}
