import * as z from 'zod/mini';

const lineBreaking = /[\p{Cc}\p{Surrogate}\u2028\u2029]/u;

/** Whether a text is well-formed and holds no line break or other control character. */
export const isLine = (text: string): boolean => !lineBreaking.test(text);

/**
 * One line of text: trimmed, well-formed, without control characters. May be empty.
 *
 * @param max most characters (UTF-16 units)
 */
export const line = (max: number) =>
  z.string().check(z.trim(), z.maxLength(max), z.refine(isLine, { error: 'rule.line' }));

/**
 * A key, token or ID that a header may carry: trimmed, printable ASCII without spaces. May be empty.
 *
 * @param max most characters
 */
export const credential = (max: number) =>
  z.string().check(z.trim(), z.maxLength(max), z.regex(/^[\x21-\x7e]*$/, { error: 'rule.credential' }));

/**
 * An `http` or `https` URL of one line. Zod's own check removes line breaks instead of refusing them.
 *
 * @param max most characters
 */
export const httpUrl = (max: number) => z.pipe(line(max), z.url({ protocol: /^https?$/ }));
