import { generate } from '#functions/generate.ts';
import { findBrokenSources } from './local/check-sources.ts';
import { describeFunctions } from './local/follow-sources.ts';
import { root } from './project.ts';
import { printWarnings } from './terminal.ts';

// With --check, first checks all sources. Writes the entries of all functions and prints the functions as JSON.

try {
  const broken = process.argv.includes('--check') ? await findBrokenSources(root) : [];
  if (broken.length > 0) throw new Error(broken.join('\n'));
  const manifest = await generate(root);
  printWarnings(manifest);
  process.stdout.write(describeFunctions(manifest));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
