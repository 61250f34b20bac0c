import { randomBytes } from 'node:crypto';
import { toDay, toTimeOfDay } from '#shared/config/local-time.ts';
import { mimeTypes, type UploadExtension, type UploadType, uploadConfig } from '#shared/config/upload.ts';

/** What an object's path is made of. */
export interface ObjectPathParts {
  type: UploadType;
  ext: UploadExtension;
  /** The moment of the upload; now by default. */
  now?: Date;
}

/** 96 bits: paths cannot be guessed, and none is made twice. */
const randomByteCount = 12;

const day = '\\d{4}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])';
const time = '(?:[01]\\d|2[0-3])[0-5]\\d[0-5]\\d';
const endings = Object.entries(uploadConfig).map(
  ([type, { extensions }]) =>
    `${type}/${day}/${time}[0-9a-f]{${randomByteCount * 2}}\\.(?:${extensions.join('|')})`,
);
const made = new RegExp(`^uploads/(?:${endings.join('|')})$`);

/**
 * A new path `uploads/{type}/{Ymd}/{His}{random}.{ext}` (specification, "Rules for stored paths and names"),
 * day and time in the configured time zone. Nothing of the client's file name is in it.
 *
 * @throws EnvironmentError when `TZ_NAME` is no time zone
 */
export function createObjectPath({ type, ext, now = new Date() }: ObjectPathParts): string {
  const [day, time] = [toDay(now), toTimeOfDay(now)].map((text) => text.replace(/\D/g, ''));
  const random = randomBytes(randomByteCount).toString('hex');
  return `uploads/${type}/${day}/${time}${random}.${ext}`;
}

/** Whether {@link createObjectPath} could have made a path: the extension has to be one of its type. */
export function isObjectPath(path: string): boolean {
  return made.test(path);
}

const typesByExtension = new Map<string, string>(Object.entries(mimeTypes));

/** The MIME type of an object, by the extension of its key; undefined for one that no upload has. */
export function mimeTypeOf(key: string): string | undefined {
  return typesByExtension.get(key.slice(key.lastIndexOf('.') + 1));
}
