import * as z from 'zod/mini';
import type { Counter } from '#shared/db/counter.ts';
import { defineEntity } from '#shared/db/entity.ts';
import { type Key, singleKey } from '#shared/db/items.ts';
import { AppError } from '#shared/errors/app-error.ts';

// Stands for a file of a module of others: it declares an entity, and nothing for its role.

/** No literal, so only the entity shows it. */
const orders = ['SHOP', 'ORDERS'];

defineEntity({
  row: z.object({ id: z.string() }),
  key: ({ id }: { id: string }) => singleKey(orders.join(`#${id}#`)),
  missing: () => new AppError('route.not_found'),
});

export const counter: Counter = { shards: 8, key: (shard) => singleKey(`COUNTER#SHOP#${shard}`) };
export const claim = (name: string): Key => ({ pk: `CLAIM#SHOP#${name}`, sk: name });
