import { SaxesParser } from 'saxes';
import { AppError } from '#shared/errors/app-error.ts';
import { activeContent, contentMismatch } from '../refusals.ts';
import { decodeXml, findEncoding, type XmlEncoding } from './decode-xml.ts';
import { findActiveCss } from './find-active-css.ts';
import { findActiveMarkup } from './find-active-markup.ts';

const svgNamespace = 'http://www.w3.org/2000/svg';
/** Every prefix is looked up through all open elements; drawings nest some ten deep, XML readers stop at 256. */
const maximumDepth = 256;
// Without entities or default attributes of its own, and read from nowhere: browsers fetch no such file.
const plainDoctype =
  /^\s*svg(?:\s+PUBLIC\s+(["'])-\/\/W3C\/\/DTD SVG [\w. /-]*\1\s+(["'])https?:\/\/www\.w3\.org\/[\w./-]*\2)?\s*$/;
// Written by drawing programs around their metadata; no browser does anything on them.
const harmlessInstruction = /^(?:xpacket|adobe[\w-]*)$/i;

/**
 * Checks that a file is an SVG drawing that neither runs nor fetches anything.
 *
 * @throws AppError `upload.content_mismatch` where it is no well-formed XML with an `svg` element at its root,
 *   `upload.active_content` for scripts, handlers, foreign objects, references out of the file, entities
 */
export function checkSvg(bytes: Uint8Array): void {
  const encoding = findEncoding(bytes);
  if (!encoding) throw contentMismatch();
  const parser = createParser(encoding);
  try {
    for (const piece of decodeXml(bytes, encoding.label)) parser.write(piece);
    parser.close();
  } catch (error) {
    throw error instanceof AppError ? error : contentMismatch(error);
  }
}

function createParser({ names }: XmlEncoding) {
  const parser = new SaxesParser({ xmlns: true, forceXMLVersion: true, defaultXMLVersion: '1.0' });
  parser.on('error', (error) => {
    throw contentMismatch(error);
  });
  parser.on('xmldecl', ({ encoding }) => {
    // Two readers that take the bytes for different text would see different markup.
    if (!names.includes(encoding?.toLowerCase())) throw contentMismatch();
  });
  parser.on('doctype', (doctype) => refuseUnless(plainDoctype.test(doctype), '<!DOCTYPE>'));
  parser.on('processinginstruction', ({ target, body }) =>
    refuseUnless(harmlessInstruction.test(target) && !/[<>]/.test(body), `<?${target}?>`),
  );
  refuseHidden(parser);
  watchElements(parser);
  return parser;
}

type Parser = ReturnType<typeof createParser>;

/** Markup that XML takes for text, but a page that takes the file in as HTML does not. */
function refuseHidden(parser: Parser): void {
  parser.on('comment', (comment) => refuseUnless(!/^-?>/.test(comment), '<!-->'));
}

function watchElements(parser: Parser): void {
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
