import { readFileSync, writeFileSync } from 'node:fs';

/**
 * Replaces the text between `<!-- NAME -->` and `<!-- /NAME -->` in a page.
 *
 * @throws Error if the page has no such section
 */
export function writeSection(file: string, name: string, text: string): void {
  const page = readFileSync(file, 'utf8');
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${file} has no section ${name}`);
  writeFileSync(file, `${page.slice(0, from)}${begin}\n\n${text}\n\n${page.slice(to)}`);
}
