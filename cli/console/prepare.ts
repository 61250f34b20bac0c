import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { generateSource } from 'oazapfts';
import { generate } from '#functions/generate.ts';
import { root } from '../project.ts';

/** Writes what the console's sources import from `.build/`: the description and a typed client of the API. */
export async function prepareConsole(): Promise<void> {
  await generate(root);
  await writeApiClient();
}

/** Writes the typed client of the API, from the OpenAPI document that the generator wrote. */
export async function writeApiClient(): Promise<void> {
  const file = join(root, '.build/console/api.ts');
  const source = await generateSource(join(root, '.build/openapi/en.json'), { optimistic: true });
  mkdirSync(dirname(file), { recursive: true });
  if (!existsSync(file) || readFileSync(file, 'utf8') !== source) writeFileSync(file, source);
}
