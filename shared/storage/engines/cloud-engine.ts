import {
  type BucketEngine,
  type ByteSpan,
  type DirectUpload,
  guard,
  type OpenOptions,
  type SignedLink,
  type StorageEngine,
  type StoredObject,
} from '../engine.ts';
import { toOrigin, toPublicUrl } from './cloud-requests.ts';

export const defaultTimeoutMs = 15_000;

/** The operations of a cloud, each with one deadline in milliseconds since 1970. They may throw any error. */
export interface Cloud {
  put(deadline: number, key: string, bytes: Uint8Array, contentType: string): Promise<void>;
  stat(deadline: number, key: string): Promise<StoredObject | undefined>;
  /** The span holds at least one byte. */
  readSpan(deadline: number, key: string, span: ByteSpan): Promise<Uint8Array>;
  delete(deadline: number, key: string): Promise<void>;
  directTicket(deadline: number, upload: DirectUpload): ReturnType<StorageEngine['directTicket']>;
  finalise(deadline: number, key: string): Promise<StoredObject | undefined>;
  signedUrl(key: string, link: SignedLink): Promise<string>;
  /** Origins that take the forms of `directTicket`. */
  uploadOrigins(deadline: number): Promise<readonly string[]>;
}

/** The engine of a cloud. @param domain host or URL that files are read through; it may have a path */
export function createCloudEngine(
  domain: string,
  { timeoutMs = defaultTimeoutMs }: OpenOptions,
  cloud: Cloud,
): BucketEngine {
  const deadline = () => Date.now() + timeoutMs;
  const toStored = (found?: StoredObject) => found && { sizeBytes: found.sizeBytes };
  return {
    put: guard((...object) => cloud.put(deadline(), ...object)),
    stat: guard(async (key) => toStored(await cloud.stat(deadline(), key))),
    readRange: guard(async (key, start, end) =>
      end > start ? cloud.readSpan(deadline(), key, { start, end }) : new Uint8Array(),
    ),
    delete: guard((key) => cloud.delete(deadline(), key)),
    directTicket: guard((upload) => cloud.directTicket(deadline(), upload)),
    finalise: guard(async (key) => toStored(await cloud.finalise(deadline(), key))),
    publicUrl: (key) => toPublicUrl(domain, key),
    signedUrl: guard(async (key, link) => cloud.signedUrl(key, link)),
    origins: guard(async () => ({
      uploads: await cloud.uploadOrigins(deadline()),
      files: [new URL(toOrigin(domain)).origin],
    })),
  };
}
