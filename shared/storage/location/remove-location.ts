import { crc32 } from 'node:zlib';
import { clearTiff } from './clear-tiff.ts';

// Own code, because libraries that remove GPS data without encoding the picture again remove all of Exif, and with it the
// orientation: photographs would lie on their side (decision 0062).

/**
 * A copy of a picture without its GPS data in Exif and XMP. Its pixels are not encoded again, and other data stays, such as
 * the orientation. Undefined if it has none. Never throws for hostile bytes; takes linear time.
 */
export function removeLocation(picture: Uint8Array): Uint8Array | undefined {
  const bytes = Buffer.from(picture);
  const start = bytes.toString('latin1', 0, 12);
  if (start.startsWith('\xff\xd8')) return clearJpeg(bytes) ? bytes : undefined;
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return clearPng(bytes);
  if (/^RIFF.{4}WEBP$/s.test(start)) return clearWebp(bytes) ? bytes : undefined;
  return undefined;
}

const exifHead = 'Exif\0\0';
const xmpHeads = ['http://ns.adobe.com/xap/1.0/\0', 'http://ns.adobe.com/xmp/extension/\0'];

/** Clears all segments, also those of further pictures behind the first one, such as previews. */
function clearJpeg(bytes: Buffer): boolean {
  let isFound = false;
  for (const head of [exifHead, ...xmpHeads]) {
    let from = 0;
    for (let at = bytes.indexOf(head, from, 'latin1'); at >= 0; at = bytes.indexOf(head, from, 'latin1')) {
      from = at + head.length;
      // A segment begins with the marker APP1 and its length, which counts itself.
      if (at < 4 || bytes.readUInt16BE(at - 4) !== 0xffe1) continue;
      const end = Math.max(from, Math.min(at - 2 + bytes.readUInt16BE(at - 2), bytes.length));
      const content = bytes.subarray(from, end);
      if (head === exifHead ? clearTiff(content) : clearXmp(content)) isFound = true;
      from = end;
    }
  }
  return isFound;
}

// In any case: drones write `drone-dji:GpsLatitude`. Names are bounded, so that a long word takes no quadratic time.
const xmpAttribute = /[\w-]{1,40}:gps\w{0,40}\s*=\s*(?:"[^"]*"|'[^']*')/gi;
const xmpElement = /<([\w-]{1,40}:gps\w{0,40})\b[^<>]*>[^<]*<\/\1\s*>/gi;

/** Overwrites GPS properties by spaces. */
function clearXmp(content: Buffer): boolean {
  const text = content.toString('latin1');
  const toSpaces = (found: string) => ' '.repeat(found.length);
  const cleared = text.replace(xmpElement, toSpaces).replace(xmpAttribute, toSpaces);
  if (cleared === text) return false;
  content.write(cleared, 'latin1');
  return true;
}

/** Chunks that hold Exif or XMP as text or compressed: they are left out whole. */
const rawProfile = /^Raw profile type (?:exif|app1|xmp)\0/i;
const xmpKeyword = 'XML:com.adobe.xmp\0';

/** @returns undefined if nothing changes */
function clearPng(bytes: Buffer): Buffer | undefined {
  const parts = [bytes.subarray(0, 8)];
  let isFound = false;
  let at = 8;
  while (at + 12 <= bytes.length) {
    const end = at + 12 + bytes.readUInt32BE(at);
    if (end > bytes.length) break;
    const chunk = bytes.subarray(at, end);
    const outcome = clearChunk(chunk);
    if (outcome !== 'removed') parts.push(chunk);
    if (outcome !== 'unchanged') isFound = true;
    at = end;
  }
  return isFound ? Buffer.concat([...parts, bytes.subarray(at)]) : undefined;
}

function clearChunk(chunk: Buffer): 'unchanged' | 'cleared' | 'removed' {
  const type = chunk.toString('latin1', 4, 8);
  const data = chunk.subarray(8, -4);
  if (type === 'eXIf') return seal(chunk, clearTiff(data));
  if (!['tEXt', 'zTXt', 'iTXt'].includes(type)) return 'unchanged';
  const head = data.toString('latin1', 0, 40);
  if (rawProfile.test(head)) return 'removed';
  if (!head.startsWith(xmpKeyword)) return 'unchanged';
  const isCompressed = type === 'zTXt' || data[xmpKeyword.length] === 1;
  return isCompressed ? 'removed' : seal(chunk, clearXmp(data));
}

/** Renews the checksum of a chunk that was cleared. */
function seal(chunk: Buffer, isCleared: boolean): 'unchanged' | 'cleared' {
  if (!isCleared) return 'unchanged';
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4);
  return 'cleared';
}

function clearWebp(bytes: Buffer): boolean {
  let isFound = false;
  for (let at = 12; at + 8 <= bytes.length; ) {
    const end = at + 8 + bytes.readUInt32LE(at + 4);
    const type = bytes.toString('latin1', at, at + 4);
    const data = bytes.subarray(at + 8, Math.min(end, bytes.length));
    const hasHead = data.toString('latin1', 0, exifHead.length) === exifHead;
    const isCleared =
      type === 'EXIF'
        ? clearTiff(hasHead ? data.subarray(exifHead.length) : data)
        : type === 'XMP ' && clearXmp(data);
    if (isCleared) isFound = true;
    // Chunks begin at even offsets.
    at = end + (end % 2);
  }
  return isFound;
}
