import type { EngineName } from '#shared/config/storage.ts';

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
  /** Its exact size; a body of another one is refused by the engine, or found out by {@link StorageEngine.settle}. */
  sizeBytes: number;
  /** Unix seconds from which the engine refuses it. */
  expiresAt: number;
  /** The ticket of the upload; an engine that is this service itself authorises parts by it. */
  ticket: string;
}

/** How a client sends a file to the engine: one `multipart/form-data` POST, or several where `part_size` is given. */
export interface DirectTicket {
  /** Absolute. */
  url: string;
  /** Sent as they stand. */
  headers: Record<string, string>;
  /** Fields that stand before the file, in this order. */
  fields: Record<string, string>;
  /** Name of the file's field, which comes last. */
  file_field: string;
  /** Most bytes of one part; without it one POST carries the whole file. */
  part_size?: number;
}

/**
 * Where files lie. Keys are made by `naming/object-path.ts` alone, never by clients. What an engine cannot do
 * is `AppError('storage.unavailable')` with the cause.
 */
export interface StorageEngine {
  readonly name: EngineName;
  /**
   * Stores an object, all of it or nothing.
   *
   * @throws ObjectExistsError when there is one; it stays as it was
   */
  put(key: string, bytes: Uint8Array, contentType: string): Promise<void>;
  /** Undefined where there is none. */
  stat(key: string): Promise<StoredObject | undefined>;
  /** The bytes from `start` up to, not including, `end`; fewer where the object ends before. */
  readRange(key: string, start: number, end: number): Promise<Uint8Array>;
  /** Removes an object and whatever a direct upload to its key left; it is well where there is none. */
  delete(key: string): Promise<void>;
  /** What a client needs to send a file by itself. Signs exact key, content type, size and no-overwrite. */
  directTicket(upload: DirectUpload): Promise<DirectTicket>;
  /**
   * Brings what a client has sent to its key, for good: from then on no ticket reaches it. May be repeated.
   *
   * @returns undefined while the whole of it is not there
   */
  settle(key: string, sizeBytes: number): Promise<StoredObject | undefined>;
  /** The address to store in records: a full URL, or this site's own path without a leading slash. */
  publicUrl(key: string): string;
}

/** An object lies at the key already; nothing was written. */
export class ObjectExistsError extends Error {
  override readonly name = 'ObjectExistsError';
}
