import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { EngineCommand } from './engine-command.ts';
import { indexStream } from './index-stream.ts';

const require = createRequire(import.meta.url);
const databaseOf = (dataDir: string) => join(dataDir, 'dynoxide.db');

/**
 * Looks for the dynoxide binary of this platform.
 *
 * @returns How to run it, or `undefined` where the optional dependency is not installed.
 */
export function findDynoxide(): EngineCommand | undefined {
  const command = locateBinary();
  if (command === undefined) return undefined;
  return {
    command,
    args: (port, dataDir) => [
      'serve',
      ...['--host', '127.0.0.1'],
      ...['--port', String(port)],
      ...['--db-path', databaseOf(dataDir)],
    ],
    readyTimeoutMs: 10_000,
    prepare: (dataDir) => indexStream(databaseOf(dataDir)),
  };
}

function locateBinary(): string | undefined {
  try {
    const packageJson = require.resolve(`@dynoxide/${process.platform}-${process.arch}/package.json`);
    const binary = join(dirname(packageJson), 'dynoxide');
    return existsSync(binary) ? binary : undefined;
  } catch {
    // An optional dependency: npm leaves it out on the platforms it was not built for.
    return undefined;
  }
}
