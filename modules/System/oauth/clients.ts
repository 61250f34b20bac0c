import * as z from 'zod/mini';
import { defineEntity, findRow, listPartition } from '#shared/db/entity.ts';
import type { Key, Write } from '#shared/db/items.ts';
import { checkItem } from '#shared/db/writes.ts';
import type { ListWrittenKeys } from '#shared/db/written-keys.ts';
import { recordId } from '#shared/schema/text.ts';
import systemErrors from '../errors.ts';
import type { OAuthClient } from './client-document.ts';
import { clientData, type RegisteredClient } from './schema.ts';

/** Whether an ID is the URL of a metadata document. */
const isDocument = (id: string): boolean => /^https?:/i.test(id);

export const clients = defineEntity({
  row: z.object(clientData.shape),
  key: ({ id }: { id: string }) => ({ pk: 'OAUTH_CLIENT', sk: id }),
  target: 'oauth_client',
  missing: () => systemErrors.create('oauth.client_not_found'),
});

/** All registered clients, oldest first. */
export const listClients = (): Promise<RegisteredClient[]> =>
  listPartition(clients, clients.key({ id: '' }).pk);

/** The key of a client's record; none for one with a metadata document. */
export const listClientKeys = (id: string): Key[] => (isDocument(id) ? [] : [clients.key({ id })]);

/** The check that a client is still registered; none for one with a metadata document. */
export const checkRegistered = (id: string): Write[] =>
  listClientKeys(id).map((key) => checkItem(key, { expect: {} }, clients.missing));

/**
 * Finds a client by its ID.
 *
 * @throws AppError `oauth.invalid_client`
 */
export async function findClient(id: string): Promise<OAuthClient> {
  if (isDocument(id)) return (await import('./client-document.ts')).readDocument(id);
  const found = z.safeParse(recordId, id).success ? await findRow(clients, { id }) : undefined;
  if (!found) throw systemErrors.create('oauth.invalid_client', { params: { reason: 'unknown' } });
  return { id, name: found.name, host: null, redirectUris: found.redirect_uris };
}

/** Clients are read here; `register-clients.ts` writes them. */
export const writtenKeys: ListWrittenKeys = () => [];
