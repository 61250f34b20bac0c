/** A text without differences of case, width and accents: `Ｃafé` is `cafe`. */
export const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .normalize('NFC')
    .toLowerCase();

/** Letters that are written without spaces between words. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]+/gu;

/** Most terms of a search; more make it no narrower for people. */
const mostTerms = 8;

/**
 * The terms of a search, folded. A record matches if it contains all of them: words, and of Chinese and other scripts
 * without spaces each pair of neighbouring characters.
 */
export function toSearchTerms(query: string): string[] {
  const words = fold(query)
    .replace(unspaced, (run) => ` ${toPairs(run).join(' ')} `)
    .split(/\s+/u)
    .filter((word) => word !== '');
  return [...new Set(words)].slice(0, mostTerms);
}

function toPairs(run: string): string[] {
  const characters = [...run];
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, at) => `${characters[at]}${character}`);
}

/** Whether a text contains all terms of a search. */
export function hasTerms(text: string, terms: readonly string[]): boolean {
  if (terms.length === 0) return true;
  const folded = fold(text);
  return terms.every((term) => folded.includes(term));
}
