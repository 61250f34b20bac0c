import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './local-server.ts';

/** A block of code on a page of `docs/`, under the last file that the text before it names. */
export interface CodeBlock {
  language: string;
  file: string | undefined;
  code: string;
}

/** The blocks of code on a page, in their order. @param page path from the project's root */
export function readCodeBlocks(page: string): CodeBlock[] {
  const text = readFileSync(join(projectRoot, page), 'utf8');
  let end = 0;
  return [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map((found) => {
    const before = text.slice(end, found.index);
    end = found.index + found[0].length;
    const files = [...before.matchAll(/`(modules\/[\w/.-]+\.ts)`/g)].map(([, file]) => file);
    return { language: found[1] ?? '', file: files.at(-1), code: found[2] ?? '' };
  });
}
