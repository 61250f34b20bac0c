import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import type { Sources } from './check-imports.ts';

const root = resolve(__dirname, '../..');

/**
 * The sources below folders, by path from the project's root. Of a `.vue` file, the lines of its scripts.
 *
 * @param withTests whether tests are sources too
 */
export function readSources(folders: readonly string[], withTests = false): Sources {
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((file) => `${folder}/${file.split(sep).join('/')}`)
      .filter((file) => isSource(file) && (withTests || !file.endsWith('.test.ts'))),
  );
  return Object.fromEntries(files.map((file) => [file, readScripts(file)]));
}

const isSource = (file: string): boolean => /\.(?:ts|vue)$/.test(file) && !file.includes('/node_modules/');

function readScripts(file: string): string {
  const text = readFileSync(join(root, file), 'utf8');
  return file.endsWith('.vue') ? keepScripts(text) : text;
}

/** The scripts of a component, each line at its place; all other lines are empty. */
export function keepScripts(text: string): string {
  const withoutComments = text.replace(/<!--[\s\S]*?-->/g, blank);
  return withoutComments
    .split(/(<script\b[^>]*>[\s\S]*?<\/script>)/)
    .map((part, index) => (index % 2 === 0 ? blank(part) : part.replace(/^<script\b[^>]*>|<\/script>$/g, '')))
    .join('');
}

const blank = (text: string): string => text.replace(/[^\n]/g, '');
