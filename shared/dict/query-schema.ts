import * as z from 'zod/mini';
import { maxTypesPerRead, typeKey } from './read-schema.ts';

const rule = { error: 'rule.type_keys' };

/** Query of both dictionary reads: `type` = keys, comma-separated or repeated; `map=0` with exactly one. */
export const dictQuery = z
  .object({
    type: z.pipe(
      z.union([z.string(), z.array(z.string())], rule),
      z.pipe(
        z.transform((given: string | string[]) => [
          ...new Set([given].flat().flatMap((keys) => keys.split(','))),
        ]),
        z.array(typeKey).check(z.minLength(1, rule), z.maxLength(maxTypesPerRead, rule)),
      ),
    ),
    map: z.optional(z.enum(['0', '1'])),
  })
  .check(
    z.refine(({ type, map }) => map !== '0' || type.length === 1, {
      path: ['map'],
      error: 'rule.map_single',
    }),
  );
