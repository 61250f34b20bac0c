import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from '../project.ts';
import { prepareConsole } from './prepare.ts';

// Checks the types of the console. `vue-tsc` extends a TypeScript compiler written in JavaScript, which version 7 (`typescript-7`) is not.

await prepareConsole();
const require = createRequire(import.meta.url);
process.argv.splice(
  2,
  Number.POSITIVE_INFINITY,
  '--noEmit',
  '--project',
  join(root, 'console/tsconfig.json'),
);
require('vue-tsc').run(require.resolve('typescript/lib/tsc'));
