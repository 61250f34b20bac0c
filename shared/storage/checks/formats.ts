import type { UploadExtension } from '#shared/config/upload.ts';

interface Signature {
  /** Names of the format in the library `file-type`. @default the extension */
  detected?: readonly string[];
  mime?: RegExp;
  /** Tests the beginning in hexadecimal, if the library tests only two or three letters. */
  also?: RegExp;
}

const compound: Signature = { detected: ['cfb'] };

const signatures: Partial<Record<UploadExtension, Signature>> = {
  jpeg: { detected: ['jpg'] },
  png: { detected: ['png', 'apng'] },
  gif: { also: /^474946383[79]61/ },
  // Its second header begins with that header's size.
  bmp: { also: /^424d.{24}(?:0c|10|28|34|38|40|6c|7c)000000/ },
  mp4: { detected: ['mp4', 'm4v', 'f4v', '3gp', '3g2'] },
  // It begins with a size, not with a letter.
  mov: { also: /^[01]/ },
  wmv: { detected: ['asf'], mime: /^(?:video|application)\// },
  pdf: { also: /^255044462d/ },
  doc: compound,
  xls: compound,
  ppt: compound,
};

// Any zip passes, also an empty one (0506). The library would look for the kind of document.
const zip = /^504b(?:0304|0506)/;
// The library skips these bytes and finds the format behind them; browsers do not.
const skipped = /^(?:efbbbf|494433)/;

export async function hasMagicOf(ext: UploadExtension, head: Uint8Array): Promise<boolean> {
  const start = Buffer.from(head.subarray(0, 32)).toString('hex');
  if (ext === 'zip') return zip.test(start);
  const { detected = [ext], mime, also } = signatures[ext] ?? {};
  if (skipped.test(start) || also?.test(start) === false) return false;
  const found = await detectFormat(head);
  return found !== undefined && detected.includes(found.ext) && mime?.test(found.mime) !== false;
}

async function detectFormat(head: Uint8Array): Promise<{ ext: string; mime: string } | undefined> {
  const { fileTypeFromBuffer } = await import('file-type');
  try {
    return await fileTypeFromBuffer(head);
  } catch {
    // Broken bytes may break a parser: the format is unknown.
    return undefined;
  }
}

// Formats whose beginning may be letters only. Other formats that the library finds in a text without control
// characters are wrong: "The free…" has the letters of a QuickTime film.
const printable = /^(?:%PDF-|GIF8[79]a|RIFF.{4}(?:WEBP|AVI |WAVE)|BZh[1-9]1AY&SY|OggS|fLaC|8BPS|!<arch>\n)/s;
// Control characters except backspace, tab, line and page breaks.
const unusual = /[^\P{Cc}\b\t\n\v\f\r]/u;
const byteOrderMark = /^\xef\xbb\xbf/;

/**
 * Whether the beginning of a file is text: UTF-8, UTF-16 with a byte order mark, or GB18030, without NUL and
 * without the signature of a binary format.
 *
 * @param isCut whether the file is longer: its last character may then be cut in two
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
    return undefined; // Not text of this encoding.
  }
}
