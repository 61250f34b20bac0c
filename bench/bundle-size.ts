import { basename } from 'node:path';
import type { Metafile } from 'esbuild';

const sdkPattern = /node_modules\/@(aws-sdk|smithy|aws)\//;

/** Paths of the files that load with the bundle: `index.mjs` and what it imports, not what it `import()`s. */
export function listStaticFiles({ outputs }: Metafile): string[] {
  const entry = Object.keys(outputs).find((path) => basename(path) === 'index.mjs');
  const files = new Set(entry === undefined ? [] : [entry]);
  for (const file of files) {
    for (const { path, kind, external } of outputs[file]?.imports ?? []) {
      if (kind === 'import-statement' && !external) files.add(path);
    }
  }
  return [...files];
}

/** Bytes of the files that load with the bundle. */
export function sumStaticBytes(metafile: Metafile): number {
  return listStaticFiles(metafile).reduce((sum, file) => sum + (metafile.outputs[file]?.bytes ?? 0), 0);
}

/** Bytes of all its code, source maps left out. */
export function sumBytes({ outputs }: Metafile): number {
  const codes = Object.entries(outputs).filter(([path]) => path.endsWith('.mjs'));
  return codes.reduce((sum, [, { bytes }]) => sum + bytes, 0);
}

/** Names of the files that hold code of the AWS SDK. */
export function listSdkFiles({ outputs }: Metafile): string[] {
  return Object.entries(outputs)
    .filter(([, { inputs }]) => Object.keys(inputs).some((input) => sdkPattern.test(input)))
    .map(([path]) => basename(path));
}
