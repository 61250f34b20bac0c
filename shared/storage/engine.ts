import { AppError } from '#shared/errors/app-error.ts';
import type { ConfigGroup } from '#shared/settings/group.ts';
import type { Visibility } from './naming/object-path.ts';

/** Bytes from `start` up to, not including, `end`. */
export type ByteSpan = Record<'start' | 'end', number>;

export interface StoredObject {
  sizeBytes: number;
}

/** A file that a client will send to the engine by itself. */
export interface DirectUpload {
  key: string;
  /** MIME type to store it with. */
  contentType: string;
  /** Its exact size. The engine refuses another size, or {@link StorageEngine.finalise} finds it. */
  sizeBytes: number;
  /** Unix seconds from which the engine refuses it. */
  expiresAt: number;
  /** The ticket of the upload. It authorises parts if the engine receives parts. */
  ticket: string;
  /** Absolute URL of the part endpoint, for an engine that receives parts. */
  partUrl: string;
}

/** How a client sends a file to the engine: in one request, or in several with `part_size`. */
export interface DirectTicket {
  /** `POST` sends a `multipart/form-data` form with the file, `PUT` the file itself. */
  method: 'POST' | 'PUT';
  /** Absolute. */
  url: string;
  /** To be sent as they are: of a `PUT`, what the signature covers. */
  headers: Record<string, string>;
  /** Fields of a form before the file, in this order; empty for `PUT`. */
  fields: Record<string, string>;
  /** Name of the file's field, the last one of the form; empty for `PUT`. */
  file_field: string;
  /** Most bytes of one part; undefined if one request sends the whole file. */
  part_size?: number;
}

export interface PartOutcome {
  isKept: boolean;
  /** Bytes received so far: where the next part has to begin. */
  offset: number;
}

/** Where browsers find an engine: origins, as `https://cdn.example.com`. This site itself is left out. */
export interface EngineOrigins {
  /** Receive direct uploads. */
  uploads: readonly string[];
  /** Begin the public addresses of files. */
  files: readonly string[];
}

/** Receives direct uploads in parts, through the part endpoint of this service. */
export interface PartReceiver {
  /** How many bytes of an object are received. */
  receivedBytes(key: string): Promise<number>;
  /** Idempotent. */
  receivePart(key: string, offset: number, bytes: Uint8Array): Promise<PartOutcome>;
  /** Removes the temporary files of interrupted writes before a moment. */
  removeTemporaryFiles(before: Date): Promise<void>;
}

/** A link to a private file that is valid for some minutes. */
export interface SignedLink {
  /** Unix seconds from which the link is refused. */
  expiresAt: number;
  /** The name that a browser saves the file by. */
  name: string;
  /** Asks for a variant of a picture: `naming/variant-link.ts`. */
  query?: string;
}

/**
 * Stores files. Only `naming/object-path.ts` creates keys, never a client. Every operation throws
 * `AppError('storage.unavailable')` with the cause if the engine fails.
 */
export interface StorageEngine {
  /** Stores a whole object, or nothing. @throws ObjectExistsError if the key exists; that object is unchanged */
  put(key: string, bytes: Uint8Array, contentType: string): Promise<void>;
  /** Returns undefined if not found. */
  stat(key: string): Promise<StoredObject | undefined>;
  /** Reads the bytes from `start` up to, not including, `end`; fewer if the object ends before. */
  readRange(key: string, start: number, end: number): Promise<Uint8Array>;
  /** Removes an object, and the leftovers of a direct upload to its key. Idempotent. */
  delete(key: string): Promise<void>;
  /** Signs a direct upload with exact key, content type, size and no-overwrite. */
  directTicket(upload: DirectUpload): Promise<DirectTicket>;
  /** Idempotent. No ticket can change the object at its key afterwards. Returns undefined if bytes are missing. */
  finalise(key: string, sizeBytes: number): Promise<StoredObject | undefined>;
  /** The address to store in records: a full URL, or this site's own path without a leading slash. A private file has none. */
  publicUrl(key: string): string | null;
  /** The full URL of a private file, valid for some minutes. Absent if the engine takes no private files. */
  signedUrl?(key: string, link: SignedLink): Promise<string>;
  /** All origins of its tickets and public addresses. The console allows requests to no others. */
  origins(): Promise<EngineOrigins>;
  /** Keys of all objects, in any order. Absent if the engine cannot list them. */
  list?(): AsyncIterable<string>;
  /** Present if the registry says `receivesParts`: `directTicket` then sends clients to `partUrl`. */
  parts?: PartReceiver;
}

/** An engine of one bucket. Whether everybody may read the bucket is not its concern. */
export interface BucketEngine extends StorageEngine {
  publicUrl(key: string): string;
  signedUrl(key: string, link: SignedLink): Promise<string>;
}

export interface OpenOptions {
  /** How long one call to a cloud may take in all, in milliseconds. @default 15000 */
  timeoutMs?: number;
}

/** A group of settings, and the names of those that must not be empty. */
export type EngineSettings = ConfigGroup & {
  required: readonly string[];
  /** Further names that must not be empty, because of the values of other settings. */
  requiredBy?(settings: Record<string, unknown>): readonly string[];
  /** Values that the deployment has for settings that are empty. */
  deployed?(settings: Record<string, unknown>): Record<string, string>;
  /** Undefined if the engine takes no private files. */
  privateFiles?: PrivateFiles;
};

/** How the settings of an engine name the bucket of private files. */
export interface PrivateFiles {
  /** Names of settings that must not be empty. */
  required(settings: Record<string, unknown>): readonly string[];
  /** Whether it must be another bucket than that of public files, which everybody may read. */
  isSeparate: boolean;
  /** What differs for that bucket in the settings that an engine is opened with. */
  replace(settings: Record<string, unknown>): Record<string, unknown>;
}

/** An entry of the registry `engines.ts`. */
export interface Engine {
  /** Undefined if it has none. */
  settings?: EngineSettings;
  /** Whether this service receives its direct uploads. @default false: clients send them to the engine itself */
  receivesParts?: boolean;
  /** Checks that it can take such files, without loading its SDK. @throws AppError `storage.not_configured` */
  assertReady(visibility: Visibility): Promise<void>;
  /** Opens it with its current settings. @throws AppError `storage.not_configured` */
  open(options?: OpenOptions): Promise<StorageEngine>;
  /**
   * Opens it with settings that are not saved. Undefined if it has no settings.
   *
   * @param values parsed settings of its group @throws AppError `storage.not_configured`
   */
  openWith?(values: Record<string, unknown>, options?: OpenOptions): Promise<StorageEngine>;
}

/** The key exists; nothing was written. */
export class ObjectExistsError extends Error {
  override readonly name = 'ObjectExistsError';
}

/** The error for an engine that fails; `cause` is logged. */
export const unavailable = (cause: unknown): AppError => new AppError('storage.unavailable', { cause });

/** The error for an engine that is not set up. @param what is logged: names of settings, never their values */
export const notConfigured = (what: string): AppError =>
  new AppError('storage.not_configured', { cause: new Error(what) });

/** An operation whose failures are all `storage.unavailable`, except {@link ObjectExistsError}. */
export const guard =
  <Args extends unknown[], Result>(operation: (...args: Args) => Promise<Result>) =>
  async (...args: Args): Promise<Result> => {
    try {
      return await operation(...args);
    } catch (error) {
      throw error instanceof ObjectExistsError ? error : unavailable(error);
    }
  };
