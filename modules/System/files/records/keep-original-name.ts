/** In code points (specification, "Limits"). */
const maximumNameCharacters = 100;

// Control characters, direction marks, line separators and the byte order mark: a name could look like another
// one. Joiners stay: scripts and emoji need them.
const hidden = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\uFEFF]/gu;
// Enough for 100 characters, and a limit for the work of normalising hostile names.
const consideredUnits = 2000;

let segmenter: Intl.Segmenter | undefined;

/**
 * Cleans a client's file name for storing: without path, controls and direction marks, composed (NFC), at most 100
 * code points, cut between visible characters. Returns `unnamed` if only dots or nothing is left.
 */
export function keepOriginalName(name: string): string {
  // Windows separates paths by backslashes.
  const bare = name
    .replace(/^.*[/\\]/s, '')
    .replace(hidden, '')
    .trim()
    .slice(0, consideredUnits);
  const kept = shorten(bare.toWellFormed().normalize('NFC')).trim();
  return /^\.*$/.test(kept) ? 'unnamed' : kept;
}

function shorten(name: string): string {
  const points = [...name];
  if (points.length <= maximumNameCharacters) return name;
  const limit = points.slice(0, maximumNameCharacters).join('').length;
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  // Cut before the visible character at the limit.
  const end = segmenter.segment(name).containing(limit)?.index ?? limit;
  // One character of more than 100 code points is cut.
  return name.slice(0, end || limit);
}
