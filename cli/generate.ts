import { generate } from '#functions/generate.ts';
import { describeFunctions } from './local/follow-sources.ts';
import { root } from './project.ts';
import { printWarnings } from './terminal.ts';

// Writes the entries of all functions and prints the functions as JSON.

try {
  const manifest = await generate(root);
  printWarnings(manifest);
  process.stdout.write(describeFunctions(manifest));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
