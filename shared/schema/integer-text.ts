import * as z from 'zod/mini';

/**
 * A whole number that travels as text, in a query or a form.
 *
 * @param min smallest
 * @param max largest, at most 9,007,199,254,740,991
 */
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
