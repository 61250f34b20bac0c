import * as z from 'zod/mini';
import { label } from './marks.ts';
import { titled } from './titled.ts';

// Control characters except tab and line breaks, and halves of surrogate pairs.
const unfit = /[^\P{Cc}\t\n\r]|\p{Surrogate}/u;

/** Text of `min` to `max` code points: trimmed, well-formed, no control characters except tabs and line breaks. */
export function text(min: number, max: number) {
  return z.string().check(
    z.trim(),
    z.refine(
      (value) => {
        const { length } = [...value];
        return length >= min && length <= max && !unfit.test(value);
      },
      { error: 'rule.text', params: { min, max } },
    ),
  );
}

/** The ID of a record: a ULID. */
export const recordId = titled(
  { zh_CN: '编号', en: 'ID', type: 'id' },
  label(z.string().check(z.regex(/^[0-9A-HJKMNP-TV-Z]{26}$/, { error: 'rule.id' }))),
);

/** Refuses halves of surrogate pairs, because the table cannot store them. Later checks do not run then. */
export const wellFormed = z.refine<string>((text) => text.isWellFormed(), {
  error: 'rule.well_formed',
  abort: true,
});

/** A whole number as text, for a query or a form. @param max at most 9,007,199,254,740,991 */
export function integerText(min: number, max: number) {
  const isWithin = (digits: string) => Number(digits) >= min && Number(digits) <= max;
  return z.pipe(
    z.string().check(
      z.refine((digits) => /^\d{1,16}$/.test(digits) && isWithin(digits), {
        error: 'rule.integer',
        params: { min, max },
      }),
    ),
    z.pipe(
      z.transform((digits: string) => Number(digits)),
      z.int().check(z.gte(min), z.lte(max)),
    ),
  );
}

/** Whether one of the texts contains a keyword, ignoring case; an absent or blank keyword matches all. */
export function matchesKeyword(keyword: string | undefined, ...texts: string[]): boolean {
  const wanted = keyword?.trim().toLowerCase() ?? '';
  return texts.some((text) => text.toLowerCase().includes(wanted));
}

const lineBreaking = /[\p{Cc}\p{Surrogate}\u2028\u2029]/u;

/** Whether a text is a single line: well-formed, without line breaks and other control characters. */
export const isLine = (text: string): boolean => !lineBreaking.test(text);

/**
 * One line for people, of a text that others wrote: without control characters, invisible ones, and marks that turn
 * the direction of text. @param max in characters; the last one of a longer text is `…`
 */
export function toPlainLine(text: string, max: number): string {
  const shown = text
    .replace(/[^\P{C}\t\n\r]/gu, '')
    .replace(/\s+/gu, ' ')
    .trim();
  const characters = [...shown];
  return characters.length > max ? `${characters.slice(0, max - 1).join('')}…` : shown;
}

/** A title in quotation marks, which it cannot end itself. @param max in characters */
export const quote = (title: string, max = 100): string =>
  `“${toPlainLine(title, max).replace(/["“”„‟〝〞＂]/g, "'")}”`;

/** One line of at most `max` UTF-16 units: trimmed, well-formed, without control characters. May be empty. */
export const line = (max: number) =>
  z.string().check(z.trim(), z.maxLength(max), z.refine(isLine, { error: 'rule.line' }));

/** A key, token or ID that a header may carry, up to `max` characters: trimmed, printable ASCII. May be empty. */
export const credential = (max: number) =>
  z.string().check(z.trim(), z.maxLength(max), z.regex(/^[\x21-\x7e]*$/, { error: 'rule.credential' }));

/** An `http(s)` URL of one line, up to `max` characters. Zod's own check removes line breaks and accepts the rest. */
export const httpUrl = (max: number) => z.pipe(line(max), z.url({ protocol: /^https?$/ }));

/** An {@link httpUrl}, or an empty text. */
export const optionalUrl = (max: number) => z.union([z.literal(''), httpUrl(max)]);
