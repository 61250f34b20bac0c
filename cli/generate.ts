import { resolve } from 'node:path';
import { createFunctionMap } from '#functions/function-map.ts';
import { generate } from '#functions/generate.ts';

// Writes the entries of all functions and prints the function map.

try {
  const manifest = await generate(resolve(import.meta.dirname, '..'));
  console.log(JSON.stringify(createFunctionMap(manifest, 'local')));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
