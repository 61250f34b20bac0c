import type { Write } from '#shared/db/items.ts';

/** Items that are written beside a record. */
export const helpers: ReadonlySet<string> = new Set([
  ...['CLAIM', 'COUNTER', 'USAGE', 'AI_USAGE', 'DICT_IMPORT', 'ONCE', 'SPREAD', 'THROTTLE', 'SESSION'],
  ...['AUDIT', 'AUDIT_COUNT'],
]);

/** Kinds of items that turn into a record with the same ID. They are recorded under its name, in its history. */
const forerunners: Readonly<Record<string, string>> = { UPLOAD: 'FILE' };

/** What a transaction changes: its first record, such as `article:01J…` or `dict:gender:1`; null if it changes none. */
export function findTarget(writes: readonly Write[]): string | null {
  for (const { Put, Update, Delete } of writes) {
    const { pk, sk } = Put?.Item ?? Update?.Key ?? Delete?.Key ?? {};
    const target = typeof pk === 'string' && typeof sk === 'string' ? spell(pk, sk) : undefined;
    if (target !== undefined) return target;
  }
  return null;
}

function spell(pk: string, sk: string): string | undefined {
  const [kind = '', ...ids] = pk.split('#');
  // A part of a record, or its guard.
  if (helpers.has(kind) || sk.startsWith('#')) return undefined;
  // A save changes several settings of a group.
  const isWhole = sk === pk || kind === 'CONFIG';
  return [(forerunners[kind] ?? kind).toLowerCase(), ...ids, ...(isWhole ? [] : [sk])].join(':');
}
