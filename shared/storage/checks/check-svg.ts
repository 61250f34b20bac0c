import { SaxesParser } from 'saxes';
import { activeContent, ContentFault, contentMismatch } from './content.ts';
import { findActiveCss, findActiveMarkup } from './svg-active.ts';

const svgNamespace = 'http://www.w3.org/2000/svg';
/** Each prefix costs a search of all open elements. Drawings nest about ten deep, XML readers stop at 256. */
const maximumDepth = 256;
// No own entities or default attributes. Browsers do not fetch the named file.
const plainDoctype =
  /^\s*svg(?:\s+PUBLIC\s+(["'])-\/\/W3C\/\/DTD SVG [\w. /-]*\1\s+(["'])https?:\/\/www\.w3\.org\/[\w./-]*\2)?\s*$/;
// Drawing programs write these around metadata; browsers ignore them.
const harmlessInstruction = /^(?:xpacket|adobe[\w-]*)$/i;

/**
 * Checks that a file is an SVG drawing that neither runs nor fetches anything.
 *
 * @throws ContentFault `content_mismatch` if it is not well-formed XML of an `svg`; `active_content`
 */
export function checkSvg(bytes: Uint8Array): void {
  const encoding = findEncoding(bytes);
  if (!encoding) throw contentMismatch();
  const parser = createParser(encoding);
  try {
    for (const piece of decodeXml(bytes, encoding.label)) parser.write(piece);
    parser.close();
  } catch (error) {
    throw error instanceof ContentFault ? error : contentMismatch(error);
  }
}

function createParser({ names }: XmlEncoding) {
  const parser = new SaxesParser({ xmlns: true, forceXMLVersion: true, defaultXMLVersion: '1.0' });
  parser.on('error', (error) => {
    throw contentMismatch(error);
  });
  parser.on('xmldecl', ({ encoding }) => {
    // Readers that decode the bytes differently would see different markup.
    if (!names.includes(encoding?.toLowerCase())) throw contentMismatch();
  });
  parser.on('doctype', (doctype) => refuseUnless(plainDoctype.test(doctype), '<!DOCTYPE>'));
  parser.on('processinginstruction', ({ target, body }) =>
    refuseUnless(harmlessInstruction.test(target) && !/[<>]/.test(body), `<?${target}?>`),
  );
  // HTML ends such a comment at once, XML does not.
  parser.on('comment', (comment) => refuseUnless(!/^-?>/.test(comment), '<!-->'));
  watchElements(parser);
  return parser;
}

function watchElements(parser: SaxesParser<{ xmlns: true }>): void {
  let depth = 0;
  let css: string | undefined;
  parser.on('opentagstart', ({ name }) => {
    depth += 1;
    if (depth > maximumDepth) throw contentMismatch();
    refuseUnless(css === undefined, `<style><${name}>`);
  });
  parser.on('opentag', (tag) => {
    if (depth === 1 && (tag.local !== 'svg' || tag.uri !== svgNamespace)) throw contentMismatch();
    const found = findActiveMarkup(tag);
    if (found) throw activeContent(found);
    if (tag.local.toLowerCase() === 'style') css = '';
  });
  const takeText = (text: string) => {
    if (css !== undefined) css += text;
  };
  parser.on('text', takeText);
  parser.on('cdata', (text) => {
    refuseUnless(!/<[a-z/!?]/i.test(text), '<![CDATA[');
    takeText(text);
  });
  parser.on('closetag', () => {
    depth -= 1;
    const found = css === undefined ? undefined : findActiveCss(css);
    if (found) throw activeContent(found);
    css = undefined;
  });
}

function refuseUnless(isHarmless: boolean, found: string): void {
  if (!isHarmless) throw activeContent(found);
}

interface XmlEncoding {
  /** Name for `TextDecoder`. */
  label: string;
  /** Names that the XML declaration may state, in lower case; undefined if it may omit the name. */
  names: readonly (string | undefined)[];
}

const utf8: XmlEncoding = { label: 'utf-8', names: ['utf-8', undefined] };

const byMark: readonly (XmlEncoding & { mark: RegExp })[] = [
  { ...utf8, mark: /^\xef\xbb\xbf/ },
  { label: 'utf-16le', mark: /^\xff\xfe/, names: ['utf-16', 'utf-16le', undefined] },
  { label: 'utf-16be', mark: /^\xfe\xff/, names: ['utf-16', 'utf-16be', undefined] },
];

// In these encodings every reader sees the same markup. UTF-7, ISO-2022-JP and the like could hide some.
const safeNames = /^(?:utf-8|us-ascii|iso-8859-1|windows-1252|gb2312|gbk|gb18030)$/;

const declaration = /^<\?xml\s[^>]*?\sencoding\s*=\s*["']([^"'>]*)["']/;
const declarationBytes = 512;
const pieceBytes = 65_536;

/** Reads the byte order mark, or else the declaration. Returns undefined for an unsupported encoding. */
function findEncoding(bytes: Uint8Array): XmlEncoding | undefined {
  const start = Buffer.from(bytes.subarray(0, declarationBytes)).toString('latin1');
  const marked = byMark.find(({ mark }) => mark.test(start));
  if (marked) return marked;
  const name = declaration.exec(start)?.[1]?.toLowerCase();
  if (name === undefined) return utf8;
  if (!safeNames.test(name)) return undefined;
  // Browsers decode all of these by GB18030.
  return { label: name.startsWith('gb') ? 'gb18030' : name, names: [name] };
}

/** Decodes in pieces. @throws TypeError for bytes that are invalid in the encoding */
function* decodeXml(bytes: Uint8Array, label: string): Generator<string> {
  const decoder = new TextDecoder(label, { fatal: true });
  for (let start = 0; start < bytes.length; start += pieceBytes) {
    yield decoder.decode(bytes.subarray(start, start + pieceBytes), { stream: true });
  }
  yield decoder.decode();
}
