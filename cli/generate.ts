import { createFunctionMap } from '#functions/function-map.ts';
import { generate } from '#functions/generate.ts';
import { root } from './project.ts';

// Writes the entries of all functions and prints the function map.

try {
  const manifest = await generate(root);
  console.log(JSON.stringify(createFunctionMap(manifest, 'local')));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
