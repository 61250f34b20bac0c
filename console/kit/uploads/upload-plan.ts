import { type UploadType, uploadConfig, uploadTransport, uploadTypes } from '#shared/config/upload.ts';

/** The type that takes a file, by the ending of its name; undefined if none does. */
export function typeOfName(name: string): UploadType | undefined {
  const ending = name.includes('.') ? name.slice(name.lastIndexOf('.') + 1).toLowerCase() : '';
  return uploadTypes.find((type) => listEndings(type).includes(ending));
}

/** Endings that a type takes, without the dot; those of all types if none is given. */
export const listEndings = (type?: UploadType): string[] =>
  (type ? [type] : uploadTypes).flatMap((each): string[] => [...uploadConfig[each].extensions]);

/** The attribute `accept` of a file field. */
export const acceptOf = (type?: UploadType): string =>
  listEndings(type)
    .map((ending) => `.${ending}`)
    .join(',');

/**
 * `form`: one request, through a function of the service. `direct`: by a ticket, to the storage engine; it can be
 * resumed. Small files go by form: one request instead of three, and the bucket needs no CORS rule.
 */
export const chooseWay = (sizeBytes: number): 'form' | 'direct' =>
  sizeBytes <= uploadTransport.formLimitBytes.deployed ? 'form' : 'direct';

export interface Part {
  /** In bytes. */
  start: number;
  end: number;
}

/** The part after the bytes that have arrived; undefined if all have. @param partSize undefined: one part */
export function nextPart(
  sizeBytes: number,
  partSize: number | undefined,
  received: number,
): Part | undefined {
  if (received >= sizeBytes) return undefined;
  return { start: received, end: Math.min(sizeBytes, received + (partSize ?? sizeBytes)) };
}
