import { detectFormat } from './magic.ts';

// Formats that a file can be without a NUL and otherwise made of letters. What the library finds besides, in a
// text without control characters, are words: "The free…" has the letters of a QuickTime film.
const printable = /^(?:%PDF-|GIF8[79]a|RIFF.{4}(?:WEBP|AVI |WAVE)|BZh[1-9]1AY&SY|OggS|fLaC|8BPS|!<arch>\n)/s;
// Controls but backspace, tab, line and page breaks.
const unusual = /[^\P{Cc}\b\t\n\v\f\r]/u;
const byteOrderMark = /^\xef\xbb\xbf/;

/**
 * Whether the beginning of a file is text: UTF-8, UTF-16 with a byte order mark, or GB18030, without NUL and
 * without the signature of a binary format.
 *
 * @param isCut whether the file goes on, so that the last character may be cut in two
 */
export async function isText(head: Uint8Array, isCut: boolean): Promise<boolean> {
  const labels = toLabels(head);
  const text = labels.map((label) => decode(label, head, isCut)).find((decoded) => decoded !== undefined);
  if (text === undefined || text.includes('\0')) return false;
  const bytes = Buffer.from(head).toString('latin1').replace(byteOrderMark, '');
  if (printable.test(bytes)) return false;
  return !unusual.test(text) || (await detectFormat(head)) === undefined;
}

function toLabels([first, second]: Uint8Array): readonly string[] {
  if (first === 0xff && second === 0xfe) return ['utf-16le'];
  if (first === 0xfe && second === 0xff) return ['utf-16be'];
  return ['utf-8', 'gb18030'];
}

function decode(label: string, bytes: Uint8Array, isCut: boolean): string | undefined {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes, { stream: isCut });
  } catch {
    // Not text of this encoding; the caller has others to try.
    return undefined;
  }
}
