import { ulid } from 'ulid';
import * as z from 'zod/mini';
import { settleAll } from '#shared/async/settle-all.ts';
import { mimeTypes, uploadTransport } from '#shared/config/upload.ts';
import { defineEntity, findRow, partitionOf, putRow, queryRows } from '#shared/db/entity.ts';
import { deleteItem, holds, type Position, singleKey, transact, type Write } from '#shared/db/items.ts';
import {
  choosePartitions,
  learnSpread,
  listPartitions,
  pickPartition,
} from '#shared/db/paging/spread-index.ts';
import { type Attributes, changeItem, removeItem } from '#shared/db/writes.ts';
import { assertDefaultEngine, type NamedEngine, openDefaultEngine } from '#shared/storage/engines.ts';
import { createObjectPath } from '#shared/storage/naming/object-path.ts';
import systemErrors from '../../errors.ts';
import { assertCategory, countFiles } from '../categories.ts';
import { files, type StoredFile, storedFile, type Uploader } from '../records/file-record.ts';
import { keepOriginalName } from '../records/keep-original-name.ts';
import { type GuestRules, type GuestShare, guestShare, returnBytes, takeBytes } from './guest-budget.ts';
import { decryptTicket } from './ticket.ts';
import type { AcceptedUpload, DeclaredUpload } from './upload-rules.ts';

/** An upload that has begun. It is stored before the first byte, so that the clean-up finds its leftovers. */
const upload = z.object({
  /** The file's record once the upload is complete. It has the upload's ID. */
  file: storedFile,
  /** Unix seconds from which the upload cannot be completed. */
  expires_at: z.number(),
  is_complete: z.optional(z.literal(true)),
  /** The budget that the bytes of a guest are counted on. */
  share: z.optional(guestShare),
});
export type Upload = z.infer<typeof upload>;

export const uploads = defineEntity({
  row: upload,
  // It becomes a file with the same ID, in whose history it stands.
  target: 'file',
  key: ({ id }: { id: string }) => singleKey(`UPLOAD#${id}`),
  indexes: {
    /** By the moment of their clean-up; always spread. */
    byCleanUp: {
      name: 'gsi1',
      pk: () => 'UPLOAD',
      sk: ({ file, expires_at }) => toCleanUpKey(expires_at + uploadTransport.graceSeconds, file.id),
    },
  },
  toAttributes: ({ file, expires_at, share }) => ({ file, expires_at, ...(share && { share }) }),
  missing: () => systemErrors.create('upload.ticket_invalid'),
});

export const uploadPartitions = 16;

/** Walks through all uploads that have begun and are not cleaned up. */
export async function* walkUploads(): AsyncGenerator<Upload> {
  const { name } = uploads.indexes.byCleanUp;
  for (const pk of listPartitions(uploads.indexes.byCleanUp.pk(), uploadPartitions)) {
    let start: Position | undefined;
    do {
      const page = await queryRows(uploads, { name, pk, limit: 100, start, isNewestFirst: false });
      yield* page.rows;
      start = page.last;
    } while (start);
  }
}

/** The sort key of the clean-up's index. @param seconds Unix seconds from which the upload is cleaned up */
export const toCleanUpKey = (seconds: number, id: string): string =>
  `${new Date(seconds * 1000).toISOString()}#${id}`;

/** The budget of a guest's upload. */
export interface GuestUpload {
  share: GuestShare;
  rules: GuestRules;
}

/** The uploader of a file, its category and labels, and whether it is private. */
export type FileOrigin = Pick<StoredFile, 'cid' | 'module' | 'tag' | 'uploader' | 'visibility'>;

/**
 * Begins the upload of an accepted file to the engine of new files, at a new path (specification, step 4).
 *
 * @param seconds how long the upload may take
 * @param guest its bytes are counted in the same transaction
 * @throws AppError `request.invalid` for an unknown category; `storage.not_configured`, also if the engine has no bucket
 *   for private files; `upload.quota_exceeded`
 */
export async function startUpload(
  { type, ext, name, sizeBytes, ...origin }: AcceptedUpload & Omit<DeclaredUpload, 'type'> & FileOrigin,
  defaultEngine: string,
  seconds: number,
  guest?: GuestUpload,
): Promise<Upload & { engine: NamedEngine }> {
  await assertCategory(origin.cid, type);
  const engine = await openDefaultEngine(defaultEngine);
  const { visibility = 'public' } = origin;
  if (visibility === 'private') await assertDefaultEngine(defaultEngine, visibility);
  const key = createObjectPath({ type, ext, visibility });
  const file = {
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
  return { engine, ...(await beginUpload(file, seconds, guest)) };
}

/** Stores a new upload. @param seconds how long it may take */
export async function beginUpload(
  described: Omit<StoredFile, 'id' | 'created_at'>,
  seconds: number,
  guest?: GuestUpload,
): Promise<Upload> {
  const id = ulid();
  const file = { ...described, id, created_at: new Date().toISOString() };
  const counting = guest ? takeBytes(guest.share, file.size, guest.rules) : [];
  const begun: Upload = {
    file,
    expires_at: Math.floor(Date.now() / 1000) + seconds,
    ...(guest && { share: guest.share }),
  };
  const indexKeys = {
    gsi1pk: pickPartition(partitionOf(uploads.indexes.byCleanUp, begun).pk, uploadPartitions),
  };
  // Completing the upload needs the lists: they are prefetched.
  const beginning = transact([putRow(uploads, { id, ...begun }, indexKeys), ...counting]);
  await settleAll([beginning, learnSpread(listsOf(file))]);
  return begun;
}

/** Gives the bytes of a guest's failed upload back, whose object is deleted. Idempotent. */
export async function returnShare({ file, share }: Upload): Promise<void> {
  if (!share) return;
  // Only one transaction can remove the share, so the bytes are given back once.
  const taken = changeItem(uploads.key(file), { remove: ['share'], expect: { share } });
  await holds(transact([taken, ...returnBytes(share, file.size)]));
}

/** Deletes the record of an upload that has failed, and gives its bytes back. Idempotent. */
export async function dropUpload({ file, share }: Upload): Promise<void> {
  if (!share) return deleteItem(uploads.key(file));
  const dropped = removeItem(uploads.key(file), { expect: { share } });
  if (await holds(transact([dropped, ...returnBytes(share, file.size)]))) return;
  // The share was given back before.
  await deleteItem(uploads.key(file));
}

/**
 * Finds the upload of a ticket. @throws AppError `upload.ticket_invalid`
 * @param caller has to be the uploader. Leave it out if the ticket alone authorises
 */
export async function findUpload(ticket: string, caller?: Uploader): Promise<Upload> {
  const id = decryptTicket(ticket);
  const found = id === undefined ? undefined : await findRow(uploads, { id });
  if (!found || found.expires_at * 1000 <= Date.now()) throw uploads.missing();
  const { uploader } = found.file;
  // Guests get no tickets any more; those of an earlier version would pass their budget by.
  if (uploader.kind === 'guest') throw uploads.missing();
  if (caller && (uploader.kind !== caller.kind || uploader.id !== caller.id)) throw uploads.missing();
  return found;
}

/**
 * Records the file of an upload whose object is stored. `isOver`: the client can send nothing more to the key; else
 * the clean-up checks it again.
 *
 * @throws ConditionError `[0]` if the upload is gone or complete, `[1]` if the file is recorded, `[2]` if its
 *   category is gone
 */
export async function completeUpload({ file }: Upload, isOver: boolean): Promise<void> {
  const key = uploads.key(file);
  const open = { expect: { is_complete: undefined } };
  const close = isOver ? removeItem(key, open) : changeItem(key, { set: { is_complete: true }, ...open });
  await transact([close, ...addFile(file, await chooseFileKeys(file))]);
}

/**
 * The writes that record a file: the record, then the category's number of files. They fail if the record exists, or
 * no category of the file's type does. `indexKeys` are by default those of lists that are not spread.
 */
export function addFile(file: StoredFile, indexKeys?: Attributes): Write[] {
  return [putRow(files, file, indexKeys), ...(file.cid ? [countFiles(file.cid, 1, file.type)] : [])];
}

/** The index keys of a new file in the lists that may be spread. @throws AppError `database.unavailable` */
export const chooseFileKeys = (file: StoredFile): Promise<Attributes> => choosePartitions(listsOf(file));

const { byCreation, byType } = files.indexes;
const listsOf = (file: StoredFile) => [partitionOf(byCreation, file), partitionOf(byType, file)];
