import { generate } from '#functions/generate.ts';
import { describeFunctions } from './local/regenerate.ts';
import { root } from './project.ts';

// Writes the entries of all functions and prints what they are.

try {
  process.stdout.write(describeFunctions(await generate(root)));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
