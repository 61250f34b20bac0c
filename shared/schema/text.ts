import * as z from 'zod/mini';

// Control characters but tab and line breaks, and halves of surrogate pairs.
const unfit = /[^\P{Cc}\t\n\r]|\p{Surrogate}/u;

/**
 * Text for people: trimmed, well-formed, without control characters but tabs and line breaks.
 *
 * @param min fewest characters (code points)
 * @param max most characters (code points)
 */
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
