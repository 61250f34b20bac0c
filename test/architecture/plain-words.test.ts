import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from '@jest/globals';

const root = resolve(__dirname, '../..');

/** Words and turns that readers with English as a second language stumble over. */
const words =
  /\b(?:whatever|nobody|anew|told|whoever|somebody|thereof|wherever)\b|\b(?:is|are|was) none\b|\bthere (?:is|are) none\b|\bwhere (?:there|nothing|none|it (?:is|was|has|does)|they|no)\b|\bis well\b|\bof none\b|\btells (?:of|from|apart|what|whether|how|which|it|them)\b|\b(?:taken|takes) back\b/gi;

/** Words that only this project gave a meaning, with the usual ones: format, duplicate, channel, pending, distribute. */
const privateWords = [
  'spell',
  'spelled',
  'twin',
  'twins',
  'door',
  'doors',
  'flight',
  'flights',
  'deal',
  'forerunner',
];

/** Private words alone and in names: `door`, `openDoor`, `#flights`, `spellTime`. */
const inNames = new RegExp(
  privateWords
    .map((word) => `(?:(?<![A-Za-z])${word}|${word[0]?.toUpperCase()}${word.slice(1)})(?![a-z])`)
    .join('|'),
  'g',
);

/** A comment that begins with "Of": it is no sentence. */
const beginsWithOf = /(?:\/\*\*?|\/\/|^\s*\*) Of (?=\S)/g;

/** Everything that people wrote for people. Reports that commands write are left out, and this list. */
const isProse = (file: string): boolean =>
  /\.(?:ts|mts|mjs|js|md|json|yml|css|html|vue)$|^\.ci\//.test(file) &&
  !/package-lock\.json$|^bench\/(?:RESULTS\.md|budgets\.json)$|zh_CN\.json$|plain-words\.test\.ts$/.test(
    file,
  );

/** The words of the lists in a text, each with its line. */
function findWords(text: string): string[] {
  return text
    .split('\n')
    .flatMap((line, index) =>
      [words, inNames, beginsWithOf].flatMap((list) =>
        Array.from(line.matchAll(list), ([word]) => `${index + 1}: ${word}`),
      ),
    );
}

test.each([
  ['// Deletes it, whatever its state.', ['1: whatever']],
  ['/**\n * undefined where there is none\n */', ['2: where there', '2: is none']],
  ['its name is none', ['1: is none']],
  ['The client is told the limit.', ['1: told']],
  ['const openDoor = this.#flights;\nspellTime(door);', ['1: Door', '1: flights', '2: spell', '2: door']],
  ['/** Of the record. */', ['1: /** Of ']],
  ['An ideal preflight has no misspelled spelling; spellcheck.', []],
])('finds the words of %j', (text, found) => {
  expect(findWords(text)).toEqual(found);
});

test('comments, messages, docs and test titles use plain words', () => {
  const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter(isProse);

  const found = files.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    return findWords(text).map((each) => `${file}:${each}`);
  });

  expect(found).toEqual([]);
});
