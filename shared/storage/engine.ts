import { AppError } from '#shared/errors/app-error.ts';
import type { ConfigGroup } from '#shared/settings/group.ts';

/** What an engine knows of a stored object. */
export interface StoredObject {
  sizeBytes: number;
}

/** A file that a client is about to send to the engine by itself. */
export interface DirectUpload {
  /** Where the object will lie. */
  key: string;
  /** MIME type that it is stored as. */
  contentType: string;
  /** Its exact size. The engine refuses a body of another size, or {@link StorageEngine.settle} finds it out. */
  sizeBytes: number;
  /** Unix seconds from which the engine refuses it. */
  expiresAt: number;
  /** The ticket of the upload; it authorises parts if the engine is this service itself. */
  ticket: string;
  /** Absolute URL where this service takes parts, with the ticket. Only an engine that is this service uses it. */
  partUrl: string;
}

/** How a client sends a file to the engine: one `multipart/form-data` POST, or several if `part_size` is given. */
export interface DirectTicket {
  /** Absolute. */
  url: string;
  headers: Record<string, string>;
  /** Fields that come before the file, in this order. */
  fields: Record<string, string>;
  /** Name of the file's field, which comes last. */
  file_field: string;
  /** Most bytes of one part; without it one POST carries the whole file. */
  part_size?: number;
}

/**
 * Where files lie. Only `naming/object-path.ts` makes keys, never a client. Every operation throws
 * `AppError('storage.unavailable')` with the cause if the engine fails.
 */
export interface StorageEngine {
  /**
   * Stores an object, all of it or nothing.
   *
   * @throws ObjectExistsError if the key is taken; that object is unchanged
   */
  put(key: string, bytes: Uint8Array, contentType: string): Promise<void>;
  /** Returns undefined if not found. */
  stat(key: string): Promise<StoredObject | undefined>;
  /** Reads the bytes from `start` up to, not including, `end`; fewer if the object ends before. */
  readRange(key: string, start: number, end: number): Promise<Uint8Array>;
  /** Removes an object and what a direct upload to its key left. Idempotent. */
  delete(key: string): Promise<void>;
  /** What a client needs to send a file by itself. Signs exact key, content type, size and no-overwrite. */
  directTicket(upload: DirectUpload): Promise<DirectTicket>;
  /**
   * Brings what a client has sent to its final key; no ticket can change it afterwards. Idempotent.
   *
   * @returns undefined if not all bytes have arrived
   */
  settle(key: string, sizeBytes: number): Promise<StoredObject | undefined>;
  /** The address to store in records: a full URL, or this site's own path without a leading slash. */
  publicUrl(key: string): string;
}

export interface OpenOptions {
  /** How long one call to a cloud may take in all, in milliseconds. @default 15000 */
  timeoutMs?: number;
}

/** What the registry `engines.ts` holds of an engine. */
export interface Engine {
  /** Its group of settings; undefined if it has none. */
  settings?: ConfigGroup;
  /** The settings that it cannot work without. */
  required: readonly string[];
  /** Checks that it can be opened, without loading its SDK. @throws AppError `storage.not_configured` */
  assertReady(): Promise<void>;
  /** Opens it with its current settings. @throws AppError `storage.not_configured` */
  open(options?: OpenOptions): Promise<StorageEngine>;
}

/** The key is taken; nothing was written. */
export class ObjectExistsError extends Error {
  override readonly name = 'ObjectExistsError';
}

/** The error for an engine that cannot be reached, or refuses; `cause` is logged. */
export function unavailable(cause: unknown): AppError {
  return new AppError('storage.unavailable', { cause });
}

/** The error for an engine that is not set up; `what` is logged: names of settings, never their values. */
export function notConfigured(what: string): AppError {
  return new AppError('storage.not_configured', { cause: new Error(what) });
}

/**
 * Runs an operation of an engine.
 *
 * @throws ObjectExistsError unchanged
 * @throws AppError `storage.unavailable` for every other failure
 */
export async function reportUnavailable<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ObjectExistsError ? error : unavailable(error);
  }
}
