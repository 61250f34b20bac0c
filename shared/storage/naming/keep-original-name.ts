/** Most characters (code points) of a file name that are kept (specification, "Limits"). */
export const maximumNameCharacters = 100;

// Controls, marks that turn the reading direction, line separators and the byte order mark: they show a name
// as another one. Joiners stay, scripts and emoji need them.
const unfit = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\uFEFF]/gu;
const nameless = 'unnamed';
// Enough for 100 characters however they compose, and a bound for the work of normalising hostile marks.
const consideredUnits = 2000;

let segmenter: Intl.Segmenter | undefined;

/**
 * A client's file name as it is kept and shown: without path parts, controls and direction marks, composed
 * (NFC), at most 100 code points and cut between what a reader sees as characters.
 *
 * @returns the name; `unnamed` where nothing but dots is left
 */
export function keepOriginalName(name: string): string {
  const bare = toBaseName(name).replace(unfit, '').trim().slice(0, consideredUnits);
  const kept = shorten(bare.toWellFormed().normalize('NFC')).trim();
  return /^\.*$/.test(kept) ? nameless : kept;
}

// Clients on Windows part paths by backslashes.
function toBaseName(name: string): string {
  return name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
}

function shorten(name: string): string {
  const points = [...name];
  if (points.length <= maximumNameCharacters) return name;
  const limit = points.slice(0, maximumNameCharacters).join('').length;
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  // The character at the limit begins at or before it; the one after the cut tells whether it is whole.
  const end = segmenter.segment(name).containing(limit)?.index ?? limit;
  // One character of more than 100 code points is none that a reader would miss.
  return name.slice(0, end || limit);
}
