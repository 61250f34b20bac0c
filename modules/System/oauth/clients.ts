import { ulid } from 'ulid';
import * as z from 'zod/mini';
import { defineEntity, findRow, listPartition, putRow } from '#shared/db/entity.ts';
import { type Key, transact, type Write } from '#shared/db/items.ts';
import { changeItem, checkItem, removeItem } from '#shared/db/writes.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { recordId } from '#shared/schema/text.ts';
import systemErrors from '../errors.ts';
import type { OAuthClient } from './client-document.ts';
import { clientData, type NewClient, type RegisteredClient } from './schema.ts';

/** Most registered clients. */
const maxClients = 200;
const counter: Key = { pk: 'COUNTER#OAUTH_CLIENT', sk: '0' };

/** Whether an ID is the URL of a metadata document. */
const isDocument = (id: string): boolean => /^https?:/i.test(id);

const clients = defineEntity({
  row: z.object(clientData.shape),
  key: ({ id }: { id: string }) => ({ pk: 'OAUTH_CLIENT', sk: id }),
  missing: () => systemErrors.create('oauth.client_not_found'),
});

/** All registered clients, oldest first. */
export const listClients = (): Promise<RegisteredClient[]> =>
  listPartition(clients, clients.key({ id: '' }).pk);

/** @throws AppError `request.invalid` at `body` if there are {@link maxClients} already */
export async function addClient({ name, redirect_uris }: NewClient): Promise<RegisteredClient> {
  const client = { id: ulid(), name, redirect_uris, created_at: new Date().toISOString() };
  const isFull = (cause: unknown) => {
    const errors = [{ path: 'body', message: 'rule.client_limit' }];
    return new AppError('request.invalid', { cause, errors, params: { max: maxClients } });
  };
  const count = changeItem(counter, { add: { count: 1 }, atMost: { count: maxClients - 1 } }, isFull);
  await transact([putRow(clients, client), count]);
  return client;
}

/** Deletes a registered client; its connections must be ended too. @throws AppError `oauth.client_not_found` */
export async function deleteClient(id: string): Promise<void> {
  await transact([
    removeItem(clients.key({ id }), { expect: {} }, clients.missing),
    changeItem(counter, { add: { count: -1 } }),
  ]);
}

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
