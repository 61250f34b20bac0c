import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './local-server.ts';

/** A block of code on a page of the documentation, under the last file that the text before it names. */
export interface CodeBlock {
  language: string;
  file: string | undefined;
  code: string;
}

/** Ends the text before a block that quotes a file. */
const quoting = /(?:^|\s)From\s`([^`]+)`:\n\n$/;
const namesFile = /`(modules\/[\w/.-]+\.ts)`/g;

/** All blocks of a page, each with the text before it. */
function readBlocks(page: string) {
  const text = readFileSync(join(projectRoot, page), 'utf8');
  let end = 0;
  return [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map((found) => {
    const before = text.slice(end, found.index);
    end = found.index + found[0].length;
    const quoted = quoting.exec(before)?.[1];
    return { language: found[1] ?? '', code: found[2] ?? '', before, quoted };
  });
}

/** Blocks that a reader saves or runs, in their order. @param page path from the project's root */
export const readCodeBlocks = (page: string): CodeBlock[] =>
  readBlocks(page)
    .filter(({ quoted }) => quoted === undefined)
    .map(({ language, code, before }) => {
      const files = [...before.matchAll(namesFile)].map(([, file]) => file);
      return { language, file: files.at(-1), code };
    });

/** Blocks that quote a file, which the text before them names: "From `modules/…`:". */
export const readExcerpts = (page: string) =>
  readBlocks(page).flatMap(({ quoted, code }) => (quoted === undefined ? [] : [{ file: quoted, code }]));
