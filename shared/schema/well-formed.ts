import * as z from 'zod/mini';

/** A check that refuses halves of surrogate pairs, which neither a key nor an attribute of the table can hold. */
export const wellFormed = z.refine<string>((text) => text.isWellFormed(), { error: 'rule.well_formed' });
