/** Most characters (code points) of a file name that are kept (specification, "Limits"). */
export const maximumNameCharacters = 100;

// Control characters, direction marks, line separators and the byte order mark: they make a name look like
// another one. Joiners stay: scripts and emoji need them.
const unfit = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\uFEFF]/gu;
const nameless = 'unnamed';
// Enough for 100 characters in any composition, and a limit for the work of normalising hostile marks.
const consideredUnits = 2000;

let segmenter: Intl.Segmenter | undefined;

/**
 * A client's file name as it is kept and shown: without path parts, controls and direction marks, composed
 * (NFC), at most 100 code points and cut between visible characters.
 *
 * @returns the name; `unnamed` if only dots are left
 */
export function keepOriginalName(name: string): string {
  const bare = toBaseName(name).replace(unfit, '').trim().slice(0, consideredUnits);
  const kept = shorten(bare.toWellFormed().normalize('NFC')).trim();
  return /^\.*$/.test(kept) ? nameless : kept;
}

// Windows separates paths by backslashes.
function toBaseName(name: string): string {
  return name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
}

function shorten(name: string): string {
  const points = [...name];
  if (points.length <= maximumNameCharacters) return name;
  const limit = points.slice(0, maximumNameCharacters).join('').length;
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  // The visible character at the limit begins at or before it: cut there.
  const end = segmenter.segment(name).containing(limit)?.index ?? limit;
  // If one character takes more than 100 code points, it is cut.
  return name.slice(0, end || limit);
}
