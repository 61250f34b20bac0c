import type { UploadExtension } from '#shared/config/upload.ts';

/** What the library calls a format, and what its own test of it leaves open. */
interface Signature {
  /** The library's name of the format; some files of one extension come under several. */
  detected: readonly string[];
  mime?: RegExp;
  /** Where two or three letters are all the library looks at; in hexadecimal. */
  also?: RegExp;
}

const jpeg: Signature = { detected: ['jpg'] };
const compound: Signature = { detected: ['cfb'] };

const signatures: Partial<Record<UploadExtension, Signature>> = {
  jpg: jpeg,
  jpeg,
  png: { detected: ['png', 'apng'] },
  gif: { detected: ['gif'], also: /^474946383[79]61/ },
  // Its second header begins with that header's size.
  bmp: { detected: ['bmp'], also: /^424d.{24}(?:0c|10|28|34|38|40|6c|7c)000000/ },
  webp: { detected: ['webp'] },
  mp4: { detected: ['mp4', 'm4v', 'f4v', '3gp', '3g2'] },
  // It begins with a size, so not with a letter.
  mov: { detected: ['mov'], also: /^[01]/ },
  avi: { detected: ['avi'] },
  wmv: { detected: ['asf'], mime: /^(?:video|application)\// },
  mkv: { detected: ['mkv'] },
  webm: { detected: ['webm'] },
  pdf: { detected: ['pdf'], also: /^255044462d/ },
  doc: compound,
  xls: compound,
  ppt: compound,
  rar: { detected: ['rar'] },
};

// Any zip will do, so the library need not find out which kind of document it is. The second is an empty one.
const zip = /^504b(?:0304|0506)/;
// The library looks behind these for another format; a file that begins with them is not of that format.
const skipped = /^(?:efbbbf|494433)/;

/** Whether a file begins with the magic number of a binary extension. */
export async function hasMagicOf(ext: UploadExtension, head: Uint8Array): Promise<boolean> {
  const start = Buffer.from(head.subarray(0, 32)).toString('hex');
  if (ext === 'zip') return zip.test(start);
  const signature = signatures[ext];
  if (!signature || skipped.test(start) || signature.also?.test(start) === false) return false;
  const found = await detectFormat(head);
  if (!found || !signature.detected.includes(found.ext)) return false;
  return signature.mime?.test(found.mime) ?? true;
}

/** The binary format that a file begins as, undefined where none is known. */
export async function detectFormat(head: Uint8Array): Promise<{ ext: string; mime: string } | undefined> {
  const { fileTypeFromBuffer } = await import('file-type');
  try {
    return await fileTypeFromBuffer(head);
  } catch {
    // Broken bytes may break a parser; a file that no parser can follow is of no known format.
    return undefined;
  }
}
