import * as z from 'zod/mini';

const place = z._default(z.string().check(z.regex(/^[a-z0-9_-]{0,32}$/)), '');

/** The texts of a form with a picture. */
export const uploadFields = z.object({ type: z.literal('image'), module: place, tag: place });
