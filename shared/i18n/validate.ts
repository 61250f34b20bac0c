import * as z from 'zod/mini';
import type { ErrorDetail } from '#shared/errors/app-error.ts';

/** The message of issues for which the schema has no message of its own. */
const noMessage = '';

/** The parsed value, or what is wrong with it. */
type Validated<Schema extends z.core.$ZodType> =
  | { value: z.output<Schema>; issues?: undefined }
  | { value?: undefined; issues: ErrorDetail[] };

/**
 * The parsed value, or every issue with its path, which begins with `root`. Halves of surrogate pairs are refused in all
 * texts, for every schema, because the table cannot store them.
 */
export function validate<Schema extends z.core.$ZodType>(
  schema: Schema,
  value: unknown,
  root: string,
): Validated<Schema> {
  const result = z.safeParse(schema, value, { error: () => noMessage, reportInput: true });
  if (result.success) {
    const issues = findIllFormed(value, root);
    return issues.length > 0 ? { issues } : { value: result.data };
  }
  return { issues: result.error.issues.flatMap((issue) => toDetails(issue, root)) };
}

/** The texts and names with half a character. Without recursion, because a client chooses the depth. */
function findIllFormed(value: unknown, root: string): ErrorDetail[] {
  const issues: ErrorDetail[] = [];
  const rest: [path: string, value: unknown][] = [[root, value]];
  for (let next = rest.pop(); next; next = rest.pop()) {
    const [path, part] = next;
    if (typeof part === 'string' && !part.isWellFormed()) issues.push({ path, message: illFormed });
    // The bytes of a file are no text.
    if (typeof part !== 'object' || part === null || ArrayBuffer.isView(part)) continue;
    for (const [name, each] of Object.entries(part)) {
      if (name.isWellFormed()) rest.push([`${path}.${name}`, each]);
      else issues.push({ path, message: illFormed });
    }
  }
  return issues.reverse();
}

const illFormed = 'rule.well_formed';

function toDetails(issue: z.core.$ZodIssue, root: string): ErrorDetail[] {
  const at = (...tail: PropertyKey[]) => [root, ...issue.path, ...tail].map(String).join('.');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: at(key), message: 'rule.unrecognized' }));
  }
  // Kept in a function, because the issue holds the input, which no log may show.
  if (issue.message === noMessage)
    return [{ path: at(), message: (localise) => String(localise({ input: undefined, ...issue })) }];
  const params = issue.code === 'custom' ? issue.params : undefined;
  return [{ path: at(), message: issue.message, params }];
}
