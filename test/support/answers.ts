import type { Answer } from './client.ts';

/** Status and code of an answer. */
export const outcome = ({ status, code }: Answer): string => `${status} ${code}`;

/** The paths that a refusal names. */
export const paths = ({ errors }: Answer): string[] => errors.map(({ path }) => path);

/** The parts of an answer that a caller can tell apart. */
export const gist = ({ status, code, message, data, errors }: Answer) => ({
  ...{ status, code, message, data, errors },
});

/** The IDs of the records on a page of a list. */
export const idsOf = ({ data }: Answer): string[] => data.list.map(({ id }: { id: string }) => id);
