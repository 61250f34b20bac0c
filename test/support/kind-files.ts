import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { FieldKind } from '#console/fields/kind.ts';
import { projectRoot } from './local-server.ts';

// Stands in for `console/fields/kind-files.ts`: only Vite knows `import.meta.glob`.

const folder = join(projectRoot, 'console/fields');

export const kindFiles: Record<string, FieldKind> = Object.fromEntries(
  globSync('*/*.kind.ts', { cwd: folder }).map((file) => [file, require(join(folder, file)).default]),
);
