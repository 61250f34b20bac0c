import { ulid } from 'ulid';
import * as z from 'zod/mini';
import { settleAll } from '#shared/async/settle-all.ts';
import { mimeTypes, uploadTransport } from '#shared/config/upload.ts';
import { defineEntity, findRow, partitionOf, putRow } from '#shared/db/entity.ts';
import { singleKey, transact, type Write } from '#shared/db/items.ts';
import { choosePlaces, learnSpread, listPartitions, pickPartition } from '#shared/db/spread-index.ts';
import { type Attributes, changeItem, removeItem } from '#shared/db/writes.ts';
import type { AcceptedUpload, DeclaredUpload } from '#shared/storage/checks/check-declared.ts';
import type { NamedEngine } from '#shared/storage/engines.ts';
import { keepOriginalName } from '#shared/storage/naming/keep-original-name.ts';
import { createObjectPath } from '#shared/storage/naming/object-path.ts';
import { decryptTicket } from '#shared/storage/ticket.ts';
import systemErrors from '../../errors.ts';
import { countFiles } from '../categories/category.ts';
import { files, type StoredFile, storedFile, type Uploader } from '../records/file-record.ts';

/** An upload that has begun. It is stored before the first byte, so that the clean-up finds its leftovers. */
export interface Upload {
  /** The file's record once the upload is complete. It has the upload's ID. */
  file: StoredFile;
  /** Unix seconds from which the upload cannot be completed. */
  expiresAt: number;
  isComplete: boolean;
}

export const uploads = defineEntity({
  row: z.pipe(
    z.object({ file: storedFile, expires_at: z.number(), is_complete: z._default(z.boolean(), false) }),
    z.transform(({ file, expires_at, is_complete }): Upload => {
      return { file, expiresAt: expires_at, isComplete: is_complete };
    }),
  ),
  key: ({ id }: { id: string }) => singleKey(`UPLOAD#${id}`),
  indexes: {
    /** By the moment of their clean-up; always spread. */
    byCleanUp: {
      name: 'gsi1',
      pk: () => 'UPLOAD',
      sk: ({ file, expiresAt }) => toCleanUpKey(expiresAt + uploadTransport.graceSeconds, file.id),
    },
  },
  toAttributes: ({ file, expiresAt }) => ({ file, expires_at: expiresAt }),
  missing: () => systemErrors.create('upload.ticket_invalid'),
});

export const uploadPartitions = 16;
const plainPartition = partitionOf(uploads.indexes.byCleanUp, {});
export const listUploadPartitions = (): string[] => listPartitions(plainPartition.pk, uploadPartitions);

/** The sort key of the clean-up's index. @param seconds Unix seconds from which the upload is cleaned up */
export const toCleanUpKey = (seconds: number, id: string): string =>
  `${new Date(seconds * 1000).toISOString()}#${id}`;

type NewUpload = Omit<StoredFile, 'id' | 'created_at'>;

/** Who uploads a file, and where it belongs. */
export type FileOrigin = Pick<StoredFile, 'cid' | 'module' | 'tag' | 'uploader'>;

/** Describes a file that will be stored in an engine, at a new path (specification, step 4). */
export function describeUpload(
  engine: NamedEngine,
  { type, ext }: AcceptedUpload,
  { name, sizeBytes }: DeclaredUpload,
  origin: FileOrigin,
): NewUpload {
  const key = createObjectPath({ type, ext });
  return {
    ...origin,
    type,
    ext,
    key,
    engine: engine.name,
    uri: engine.publicUrl(key),
    name: keepOriginalName(name),
    mime: mimeTypes[ext],
    size: sizeBytes,
  };
}

/** Stores a new upload. @param seconds how long it may take */
export async function beginUpload(file: NewUpload, seconds: number): Promise<Upload> {
  const id = ulid();
  const upload: Upload = {
    file: { ...file, id, created_at: new Date().toISOString() },
    expiresAt: Math.floor(Date.now() / 1000) + seconds,
    isComplete: false,
  };
  const places = { gsi1pk: pickPartition(plainPartition.pk, uploadPartitions) };
  const note = transact([putRow(uploads, { id, ...upload }, places)]);
  await settleAll([note, learnFilePlaces(upload.file)]);
  return upload;
}

/**
 * Finds the upload of a ticket.
 *
 * @param caller has to be the uploader, unless that is a guest. Leave it out if the ticket alone authorises
 * @throws AppError `upload.ticket_invalid`
 */
export async function findUpload(ticket: string, caller?: Uploader): Promise<Upload> {
  const id = decryptTicket(ticket);
  const upload = id === undefined ? undefined : await findRow(uploads, { id });
  if (!upload || upload.expiresAt * 1000 <= Date.now()) throw systemErrors.create('upload.ticket_invalid');
  const { uploader } = upload.file;
  const isOwn = uploader.kind === 'guest' || (uploader.kind === caller?.kind && uploader.id === caller.id);
  if (caller && !isOwn) throw systemErrors.create('upload.ticket_invalid');
  return upload;
}

/**
 * Records the file of an upload whose object is stored.
 *
 * @param isOver whether the client can send nothing more to the key; if false, the clean-up checks it again
 * @throws ConditionError `[0]` if the upload is gone or complete, `[1]` if the file is recorded, `[2]` if its
 *   category is gone
 */
export async function completeUpload({ file }: Upload, isOver: boolean): Promise<void> {
  const key = uploads.key(file);
  const open = { expect: { is_complete: undefined } };
  const close = isOver ? removeItem(key, open) : changeItem(key, { set: { is_complete: true }, ...open });
  await transact([close, ...addFile(file, await chooseFilePlaces(file))]);
}

const { byCreation, byType } = files.indexes;

/**
 * The writes that record a file, for one transaction: the record, then the category's number of files. They
 * fail if the record exists, or no category of the file's type does.
 *
 * @param places of {@link chooseFilePlaces}; by default those of lists that are not spread
 */
export function addFile(file: StoredFile, places?: Attributes): Write[] {
  return [putRow(files, file, places), ...(file.cid ? [countFiles(file.cid, 1, file.type)] : [])];
}

/** Prefetches what {@link chooseFilePlaces} needs, unless this process knows it. */
export const learnFilePlaces = (file: StoredFile): Promise<void> =>
  learnSpread([partitionOf(byCreation, file), partitionOf(byType, file)]);

/** The index keys of a new file in the lists that may be spread. @throws AppError `database.unavailable` */
export const chooseFilePlaces = (file: StoredFile): Promise<Attributes> =>
  choosePlaces([partitionOf(byCreation, file), partitionOf(byType, file)]);
