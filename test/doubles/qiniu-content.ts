import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';

const blockBytes = 4 * 1_048_576;
const sha1 = (bytes: Buffer) => createHash('sha1').update(bytes).digest();

/** Qiniu's hash of a file (github.com/qiniu/qetag). */
export function toEtag(bytes: Buffer): string {
  const blocks = [];
  for (let at = 0; at === 0 || at < bytes.length; at += blockBytes) {
    blocks.push(sha1(bytes.subarray(at, at + blockBytes)));
  }
  const [first] = blocks;
  const isOne = blocks.length === 1 && first !== undefined;
  const digest = isOne ? first : sha1(Buffer.concat(blocks));
  return Buffer.concat([Buffer.of(isOne ? 0x16 : 0x96), digest]).toString('base64url');
}

const byExtension: Record<string, string> = {
  html: 'text/html',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  mp4: 'video/mp4',
  pdf: 'application/pdf',
  rar: 'application/x-rar-compressed',
  zip: 'application/zip',
  txt: 'text/plain',
};
const byMagic: [start: RegExp, type: string][] = [
  [/^\x89PNG\r\n/, 'image/png'],
  [/^\xff\xd8\xff/, 'image/jpeg'],
  [/^GIF8/, 'image/gif'],
  [/^%PDF-/, 'application/pdf'],
  [/^PK/, 'application/zip'],
  [/^\s*<(?:!doctype html|html|script)/i, 'text/html'],
  [/^\s*<(?:\?xml|svg)/, 'text/xml'],
];

/** The type of some content; undefined if unknown. */
export function detectContent(bytes: Buffer): string | undefined {
  const start = bytes.subarray(0, 512).toString('latin1');
  const found = byMagic.find(([magic]) => magic.test(start));
  if (found) return found[1];
  const isText = isUtf8(bytes) && /^[\t\n\r\x20-\x7e\x80-\xff]*$/.test(start);
  return isText ? 'text/plain' : undefined;
}

const detectName = (name: string) => byExtension[name.slice(name.lastIndexOf('.') + 1)];
const unknown = 'application/octet-stream';

export interface ReceivedFile {
  bytes: Buffer;
  /** The file part's type. */
  contentType: string;
  fileName: string;
  key: string;
}

/** The type that an upload is stored as by its policy's `detectMime`. */
export function decideType(file: ReceivedFile, detectMime = 0): string {
  const given = file.contentType === unknown ? undefined : file.contentType;
  const names = () => detectName(file.fileName) ?? detectName(file.key);
  if (detectMime === -1) return file.contentType;
  if (detectMime === 0) return given ?? names() ?? detectContent(file.bytes) ?? unknown;
  return detectContent(file.bytes) ?? names() ?? unknown;
}

/** Whether a policy's `mimeLimit` lets content pass. */
export function passesLimit(bytes: Buffer, mimeLimit: string): boolean {
  const type = detectContent(bytes) ?? unknown;
  const listed = mimeLimit
    .replace(/^!/, '')
    .split(';')
    .some((entry) => entry === type || (entry.endsWith('/*') && type.startsWith(entry.slice(0, -1))));
  return mimeLimit.startsWith('!') ? !listed : listed;
}
