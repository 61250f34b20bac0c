import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from '@jest/globals';

const root = resolve(__dirname, '../..');

interface Use {
  file: string;
  purpose: string;
  /** How the key is used: one key must not serve two algorithms. */
  kind: 'encrypts' | 'authenticates' | 'derives';
}

const kinds = {
  encrypt: 'encrypts',
  decrypt: 'encrypts',
  createRecordMac: 'authenticates',
  isRecordMac: 'authenticates',
  findUnknownKey: 'authenticates',
  deriveKeys: 'derives',
} as const;
/** Which argument is the purpose. */
const placeOf = (name: string): number => (kinds[name as keyof typeof kinds] === 'encrypts' ? 1 : 0);

const call = new RegExp(`\\b(?<!function )(${Object.keys(kinds).join('|')})\\(`, 'g');

/** The arguments of a call, from the text after its bracket. */
function readArguments(text: string): string[] {
  const found = [''];
  let depth = 0;
  for (const character of text) {
    if ('([{'.includes(character)) depth += 1;
    if (')]}'.includes(character)) depth -= 1;
    if (depth < 0) break;
    if (character === ',' && depth === 0) found.push('');
    else found[found.length - 1] += character;
  }
  return found.map((each) => each.trim());
}

/** The text of a literal, or of a constant, which its own file or another declares. */
function readPurpose(argument: string, own: string, all: readonly string[]): string {
  const literal = /^'([\w-]+)'$/.exec(argument)?.[1];
  if (literal) return literal;
  const declaration = new RegExp(`\\bconst ${argument} = '([\\w-]+)'`);
  const [found] = [own, ...all].flatMap((text) => declaration.exec(text)?.[1] ?? []);
  if (!found) throw new Error(`the purpose ${argument} is not a constant text`);
  return found;
}

function listUses(): Use[] {
  const files = ['shared', 'modules', 'functions', 'cli'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((file) => `${folder}/${file}`)
      // `shared/crypto` gets its purposes from its callers.
      .filter((file) => file.endsWith('.ts') && !file.startsWith('shared/crypto/')),
  );
  const texts = files.map((file) => readFileSync(join(root, file), 'utf8'));
  return files.flatMap((file, index) => {
    const text = texts[index] ?? '';
    if (!/#shared\/crypto\/(keys|encrypt|record-mac)\.ts/.test(text)) return [];
    return Array.from(text.matchAll(call), ({ 1: name = '', index: at, 0: { length } }) => {
      const argument = readArguments(text.slice(at + length))[placeOf(name)] ?? '';
      return { file, purpose: readPurpose(argument, text, texts), kind: kinds[name as keyof typeof kinds] };
    });
  });
}

const uses = listUses();
const purposes = [...new Set(uses.map(({ purpose }) => purpose))];

test('finds the purposes of keys', () => {
  expect(purposes.length).toBeGreaterThan(8);
});

test.each(purposes)('the derived key "%s" serves one purpose, in one folder', (purpose) => {
  const own = uses.filter((use) => use.purpose === purpose);
  const folders = own.map(({ file }) => file.slice(0, file.lastIndexOf('/')));

  expect(new Set(own.map(({ kind }) => kind)).size).toBe(1);
  expect(new Set(folders).size).toBe(1);
});
