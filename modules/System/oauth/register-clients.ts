import { ulid } from 'ulid';
import { putRow } from '#shared/db/entity.ts';
import { type Key, transact } from '#shared/db/items.ts';
import { changeItem, removeItem } from '#shared/db/writes.ts';
import type { ListWrittenKeys } from '#shared/db/written-keys.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { clients } from './clients.ts';
import type { NewClient, RegisteredClient } from './schema.ts';

/** Most registered clients. */
const maxClients = 200;
const counter: Key = { pk: 'COUNTER#OAUTH_CLIENT', sk: '0' };

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

export const writtenKeys: ListWrittenKeys = () => [clients.key({ id: '' }).pk, counter.pk];
