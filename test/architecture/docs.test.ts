import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { readExcerpts } from '../support/read-code-blocks.ts';

const root = resolve(__dirname, '../..');
const pages = ['.', 'docs', 'docs/decisions'].flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((file) => file.endsWith('.md'))
    .map((file) => join(folder, file)),
);
const read = (page: string) => readFileSync(join(root, page), 'utf8');

/** The anchors of a page, as GitHub makes them from its headings. */
const anchorsOf = (page: string): string[] =>
  [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );

/** A link that leads to no file or no heading. */
const isBroken = (page: string, target: string): boolean => {
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? page : join(dirname(page), path);
  return !existsSync(join(root, file)) || (anchor !== undefined && !anchorsOf(file).includes(anchor));
};

test('links in the documentation lead to files and headings that exist', () => {
  const broken = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\((?!\w+:)([^)\s]+)\)/g)]
      .filter(([, target = '']) => isBroken(page, target))
      .map(([link]) => `${page} ${link}`),
  );
  expect(broken).toEqual([]);
});

test('paths in the documentation exist', () => {
  const path = /`((?:bench|cli|docs|functions|modules|shared|test)\/[\w./-]+)`/g;
  // Examples that readers are asked to write.
  const isExample = /^modules\/(?:Shop|Ticket)\/|^modules\/Article\/(?:Mcp|Ai)\/Tools\/|\/folder\b/;
  const missing = pages.flatMap((page) =>
    [...read(page).matchAll(path)]
      .filter(([, file = '']) => !isExample.test(file) && !existsSync(join(root, file)))
      .map(([, file]) => `${page} ${file}`),
  );
  expect(missing).toEqual([]);
});

test('excerpts in the documentation are the lines of the files that they name, in their order', () => {
  const wrong: string[] = [];
  for (const page of pages) {
    for (const { file, code } of readExcerpts(page)) {
      const source = `\n${readFileSync(join(root, file), 'utf8')}`;
      let end = 0;
      // A line of "…" stands for lines that are left out.
      for (const part of code.split(/^[ \t]*…\n/m)) {
        const start = source.indexOf(`\n${part}`, end);
        if (start < 0) wrong.push(`${page} ${file}: ${part}`);
        else end = start + part.length;
      }
    }
  }

  expect(wrong).toEqual([]);
  expect(pages.flatMap(readExcerpts).map(({ file }) => file)).toContain(
    'docs/examples/Ticket/tickets/tickets.ts',
  );
});
