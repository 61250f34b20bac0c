import { hash, randomBytes } from 'node:crypto';
import { toDay, toTimeOfDay } from '#shared/config/local-time.ts';
import { mimeTypes, type UploadExtension, type UploadType, uploadConfig } from '#shared/config/upload.ts';
import { toOriginalKey } from './variant-path.ts';

/** 96 bits: paths cannot be guessed, and are unique. */
const randomByteCount = 12;

const day = '\\d{4}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])';
const time = '(?:[01]\\d|2[0-3])[0-5]\\d[0-5]\\d';
const endings = Object.entries(uploadConfig).map(
  ([type, { extensions }]) =>
    `${type}/${day}/${time}[0-9a-f]{${randomByteCount * 2}}\\.(?:${extensions.join('|')})`,
);
/** Who may read a file: everybody who knows its address, or only who has a link that is signed for some minutes. */
export const visibilities = ['public', 'private'] as const;
export type Visibility = (typeof visibilities)[number];

const folders = { public: 'uploads', private: 'private' } as const satisfies Record<Visibility, string>;
/** What the paths of objects begin with. */
export const objectFolders: readonly string[] = Object.values(folders);
const made = new RegExp(`^(?:${objectFolders.join('|')})/(?:${endings.join('|')})$`);

/**
 * A new path `uploads/{type}/{Ymd}/{His}{random}.{ext}` (specification, "Rules for stored paths and names"), in the
 * configured time zone; a private file's begins with `private/`. It does not use the client's file name.
 *
 * @throws EnvironmentError if `TZ_NAME` is not a time zone
 */
export function createObjectPath(
  { type, ext, visibility = 'public' }: { type: UploadType; ext: UploadExtension; visibility?: Visibility },
  now = new Date(),
): string {
  const [day, time] = [toDay(now), toTimeOfDay(now)].map((text) => text.replace(/\D/g, ''));
  const random = randomBytes(randomByteCount).toString('hex');
  return `${folders[visibility]}/${type}/${day}/${time}${random}.${ext}`;
}

/** Whether a path has the form of {@link createObjectPath}. */
export const isObjectPath = (path: string): boolean => made.test(path);

/** Whether a path has the form of an object of this service, or of a variant that is stored beside one. */
export const isStoredPath = (path: string): boolean => isObjectPath(toOriginalKey(path));

/** Whether an object is private, by its path. */
export const isPrivatePath = (path: string): boolean => path.startsWith(`${folders.private}/`);

/** The key of a picture whose position was removed: it follows from the first one, so that the clean-up finds it. */
export const toCleanKey = (key: string): string =>
  key.replace(/([0-9a-f]{24})(\.\w+)$/, (_, random: string, ending: string) => {
    const derived = hash('sha256', `without location ${random}`).slice(0, random.length);
    return `${derived}${ending}`;
  });

const typesByExtension = new Map<string, string>(Object.entries(mimeTypes));

/** The MIME type of an object, by the extension of its key; undefined if unknown. */
export function mimeTypeOf(key: string): string | undefined {
  return typesByExtension.get(key.slice(key.lastIndexOf('.') + 1));
}
