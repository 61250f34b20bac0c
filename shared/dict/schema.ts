import * as z from 'zod/mini';
import { components } from '#shared/schema/component.ts';
import { label } from '#shared/schema/marks.ts';
import { text } from '#shared/schema/text.ts';
import { typeKey } from './read-schema.ts';

export { typeKey };

export const maxItemsPerType = 10_000;
export const maxImportItems = 5_000;

/** Stable option value: printable ASCII, stored unchanged. */
export const itemValue = label(z.string().check(z.regex(/^[\x20-\x7e]{1,64}$/, { error: 'rule.value' })));
export const name = label(text(1, 100));
export const remark = text(0, 200);
export const sort = z.int().check(z.gte(-1_000_000), z.lte(1_000_000));
export const status = z.enum(['enabled', 'disabled']);
/** Counts from 1. An edit sends the version that it read. */
export const version = z.int().check(z.gte(1));

/** Stored texts: those that older rules allowed are still read. */
export const storedText = { type_key: z.string(), name: z.string(), remark: z.string() };

export const dictType = z
  .strictObject({
    type_key: typeKey,
    name,
    enabled: z.boolean(),
    public: z.boolean(),
    remark,
    version,
    item_count: z.int(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .register(components, { id: 'DictType' });
export type DictType = z.infer<typeof dictType>;

/** A type is created with an explicit `enabled` (specification, "Dictionary type"). */
export const newDictType = z.partial(
  z.omit(dictType, { version: true, item_count: true, created_at: true, updated_at: true }),
  { public: true, remark: true },
);

export const dictItem = z
  .strictObject({
    type_key: typeKey,
    value: itemValue,
    name,
    sort,
    status,
    remark,
    version,
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .register(components, { id: 'DictItem' });
export type DictItem = z.infer<typeof dictItem>;

/** `sort` defaults to 0, `status` to enabled. */
export const newDictItem = z.partial(
  z.omit(dictItem, { version: true, created_at: true, updated_at: true }),
  { sort: true, status: true, remark: true },
);
