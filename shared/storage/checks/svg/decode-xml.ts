/** How the bytes of an XML file are read as text. */
export interface XmlEncoding {
  /** Name for `TextDecoder`. */
  label: string;
  /** What the XML declaration may call it, in lower case; undefined for no word of it. */
  names: readonly (string | undefined)[];
}

const utf8: XmlEncoding = { label: 'utf-8', names: ['utf-8', undefined] };

const byMark: readonly (XmlEncoding & { mark: RegExp })[] = [
  { ...utf8, mark: /^\xef\xbb\xbf/ },
  { label: 'utf-16le', mark: /^\xff\xfe/, names: ['utf-16', 'utf-16le', undefined] },
  { label: 'utf-16be', mark: /^\xfe\xff/, names: ['utf-16', 'utf-16be', undefined] },
];

// In all of these an ASCII byte of markup is that character and nothing else, so that every reader sees the
// same markup. UTF-7, ISO-2022-JP and the like could hide some.
const byName: ReadonlyMap<string, string> = new Map([
  ['utf-8', 'utf-8'],
  ['us-ascii', 'windows-1252'],
  ['iso-8859-1', 'windows-1252'],
  ['windows-1252', 'windows-1252'],
  ['gb2312', 'gb18030'],
  ['gbk', 'gb18030'],
  ['gb18030', 'gb18030'],
]);

const declaration = /^<\?xml\s[^>]*?\sencoding\s*=\s*["']([^"'>]*)["']/;
const declarationBytes = 512;
const pieceBytes = 65_536;

/**
 * How an XML file is encoded, by its byte order mark or else its declaration.
 *
 * @returns undefined for an encoding that is not read here
 */
export function findEncoding(bytes: Uint8Array): XmlEncoding | undefined {
  const start = Buffer.from(bytes.subarray(0, declarationBytes)).toString('latin1');
  const marked = byMark.find(({ mark }) => mark.test(start));
  if (marked) return marked;
  const name = declaration.exec(start)?.[1]?.toLowerCase();
  if (name === undefined) return utf8;
  const label = byName.get(name);
  return label === undefined ? undefined : { label, names: [name] };
}

/**
 * The text of an XML file, piece by piece.
 *
 * @throws TypeError at bytes that the encoding does not have
 */
export function* decodeXml(bytes: Uint8Array, label: string): Generator<string> {
  const decoder = new TextDecoder(label, { fatal: true });
  for (let start = 0; start < bytes.length; start += pieceBytes) {
    yield decoder.decode(bytes.subarray(start, start + pieceBytes), { stream: true });
  }
  yield decoder.decode();
}
