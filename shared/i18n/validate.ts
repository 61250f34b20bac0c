import * as z from 'zod/mini';
import type { ErrorDetail } from '#shared/errors/app-error.ts';

/** The message of issues for which the schema has no message of its own. */
const noMessage = '';

/** The parsed value, or what is wrong with it. */
type Validated<Schema extends z.core.$ZodType> =
  | { value: z.output<Schema>; issues?: undefined }
  | { value?: undefined; issues: ErrorDetail[] };

/** The parsed value, or every issue with its path, which begins with `root`. */
export function validate<Schema extends z.core.$ZodType>(
  schema: Schema,
  value: unknown,
  root: string,
): Validated<Schema> {
  const result = z.safeParse(schema, value, { error: () => noMessage, reportInput: true });
  if (result.success) return { value: result.data };
  return { issues: result.error.issues.flatMap((issue) => toDetails(issue, root)) };
}

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
