import { basename } from 'node:path';
import type { Metafile, Plugin } from 'esbuild';
import { wholeStack } from './stacks/stack.ts';

/** What esbuild reports of the bundle of a function. */
export interface BundleReport {
  /** Its source files, from the project's root. */
  inputs: readonly string[];
  /** The files that it consists of, from the folder of all bundles: the entry, and the chunks that it reaches. */
  outputs: readonly string[];
}

/** The part of the framework's service that decides what a package holds. */
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
      const place = (file: string) => file.slice(codeFolder().length + 1);
      for (const file of Object.keys(metafile.outputs)) known.add(place(file));
      const outputs = listReached(metafile).map(place);
      reports.set(basename(entry, '.mjs'), { inputs: Object.keys(metafile.inputs), outputs });
      excludeForeign(service);
    });
  },
});

/** The entry and all that it imports, at once or on first use. esbuild also writes chunks that nothing imports. */
function listReached({ outputs }: Metafile): string[] {
  const entry = Object.keys(outputs).filter((file) =>
    outputs[file]?.entryPoint?.startsWith('.build/entries/'),
  );
  const reached = new Set(entry);
  for (const file of reached) {
    for (const { path, external } of outputs[file]?.imports ?? []) if (!external) reached.add(path);
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
