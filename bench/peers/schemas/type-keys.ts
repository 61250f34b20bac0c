import * as z from 'zod/mini';

/** Keys of dictionaries, comma-separated. */
export const typeKeys = z.pipe(
  z.string().check(z.regex(/^[a-z][a-z0-9_]*(,[a-z][a-z0-9_]*){0,49}$/)),
  z.transform((keys) => keys.split(',')),
);
