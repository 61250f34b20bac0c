import { decodeHTMLAttribute } from 'entities/decode';

// What the HTML standard decodes as a whole. A name takes in the character that decides how it is read.
const unit = /&#x[\da-f]+;?|&#\d+;?|&[\da-z]+[;=]?|\r\n|./gisy;

/**
 * Where the first characters of an attribute's value end in the source.
 *
 * @param start where the value begins in the source
 * @param length in UTF-16 units of the value as a browser reads it; not within a character reference
 */
export function toRawOffset(html: string, start: number, length: number): number {
  unit.lastIndex = start;
  let offset = start;
  for (let decoded = 0; decoded < length; offset = unit.lastIndex) {
    const source = unit.exec(html)?.[0] ?? '';
    decoded += source === '\r\n' ? 1 : decodeHTMLAttribute(source).length;
  }
  return offset;
}

/** Text that stands for itself in an attribute's value, in either quotes and without. */
export function escapeAttribute(text: string): string {
  return text.replace(/[&"'<>=`\s]/g, (character) => `&#${character.charCodeAt(0)};`);
}
