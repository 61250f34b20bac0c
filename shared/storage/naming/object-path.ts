import { randomBytes } from 'node:crypto';
import { toDay, toTimeOfDay } from '#shared/config/local-time.ts';
import { mimeTypes, type UploadExtension, type UploadType, uploadConfig } from '#shared/config/upload.ts';

/** 96 bits: paths cannot be guessed, and are unique. */
const randomByteCount = 12;

const day = '\\d{4}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])';
const time = '(?:[01]\\d|2[0-3])[0-5]\\d[0-5]\\d';
const endings = Object.entries(uploadConfig).map(
  ([type, { extensions }]) =>
    `${type}/${day}/${time}[0-9a-f]{${randomByteCount * 2}}\\.(?:${extensions.join('|')})`,
);
const made = new RegExp(`^uploads/(?:${endings.join('|')})$`);

/**
 * A new path `uploads/{type}/{Ymd}/{His}{random}.{ext}` (specification, "Rules for stored paths and names"), in the
 * configured time zone. It does not use the client's file name.
 *
 * @throws EnvironmentError if `TZ_NAME` is not a time zone
 */
export function createObjectPath(
  { type, ext }: { type: UploadType; ext: UploadExtension },
  now = new Date(),
): string {
  const [day, time] = [toDay(now), toTimeOfDay(now)].map((text) => text.replace(/\D/g, ''));
  const random = randomBytes(randomByteCount).toString('hex');
  return `uploads/${type}/${day}/${time}${random}.${ext}`;
}

/** Whether a path has the form of {@link createObjectPath}. */
export const isObjectPath = (path: string): boolean => made.test(path);

const typesByExtension = new Map<string, string>(Object.entries(mimeTypes));

/** The MIME type of an object, by the extension of its key; undefined if unknown. */
export function mimeTypeOf(key: string): string | undefined {
  return typesByExtension.get(key.slice(key.lastIndexOf('.') + 1));
}
