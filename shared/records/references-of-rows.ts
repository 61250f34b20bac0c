import { settleAll } from '#shared/async/settle-all.ts';
import { getItems, type Key, type Write } from '#shared/db/items.ts';
import { checkItem } from '#shared/db/writes.ts';
import { countUsage } from '#shared/dict/usage.ts';
import { AppError, type ErrorDetail } from '#shared/errors/app-error.ts';
import type { Fields } from './options.ts';
import { isAsNeeded, type Reference, referenceOf } from './references.ts';
import type { Labels } from './schemas.ts';

type Values = Readonly<Record<string, unknown>>;
type Named = readonly [field: string, reference: Reference];

/** The fields of a record that name something. */
export const listReferences = (fields: Fields): Named[] =>
  Object.entries(fields).flatMap(([name, field]) => {
    const reference = referenceOf(field);
    return reference ? [[name, reference]] : [];
  });

const isNamed = (value: unknown): value is string => typeof value === 'string' && value !== '';
const toText = ({ pk, sk }: Key): string => JSON.stringify([pk, sk]);
const refused = (field: string): ErrorDetail => ({ path: `body.${field}`, message: 'rule.reference' });

/** What the changed fields of a row need: each item once, with the field that needs it first. */
function listNeeds(named: readonly Named[], before: Values, after: Values) {
  const needs = named.flatMap(([field, reference]) => {
    const value = after[field];
    if (!isNamed(value) || value === before[field]) return [];
    return reference.needs(value).map((need) => ({ field, ...need }));
  });
  return [...new Map(needs.toReversed().map((need) => [toText(need.key), need])).values()].reverse();
}

/**
 * Writes for the transaction that changes a row: checks that what its new values name exists, and counts the uses of
 * dictionaries. @param before empty for a new row
 * @param own key of the row, which it may name itself
 */
export function writeReferences(
  named: readonly Named[],
  { before, after, own, module }: { before: Values; after: Values; own: Key; module: string },
): Write[] {
  const checks = listNeeds(named, before, after)
    .filter(({ key }) => toText(key) !== toText(own))
    .map(({ field, key, expect }) =>
      checkItem(key, { expect }, () => new AppError('request.invalid', { errors: [refused(field)] })),
    );
  return [...checks, ...countUses(named, before, after, module)];
}

function countUses(named: readonly Named[], before: Values, after: Values, module: string): Write[] {
  const sums = new Map<string, { dictionary: string; value: string; by: number }>();
  const add = (dictionary: string, value: unknown, by: number) => {
    if (!isNamed(value)) return;
    const key = JSON.stringify([dictionary, value]);
    sums.set(key, { dictionary, value, by: (sums.get(key)?.by ?? 0) + by });
  };
  for (const [field, { dictionary }] of named) {
    if (dictionary === undefined) continue;
    add(dictionary, before[field], -1);
    add(dictionary, after[field], 1);
  }
  return [...sums.values()].flatMap(({ dictionary, value, by }) =>
    by === 0 ? [] : countUsage(dictionary, value, module, by),
  );
}

/** What rows name and what does not exist, for each row, without a write. It reads each item once. */
export async function checkReferences(
  named: readonly Named[],
  rows: readonly Values[],
): Promise<ErrorDetail[][]> {
  const needs = rows.map((row) => listNeeds(named, {}, row));
  const keys = new Map(needs.flat().map(({ key }) => [toText(key), key]));
  const found = new Map(
    (await getItems([...keys.values()])).map((item) => [
      toText({ pk: String(item.pk), sk: String(item.sk) }),
      item,
    ]),
  );
  return needs.map((each) =>
    each
      .filter(({ key, expect }) => !isAsNeeded(found.get(toText(key)), expect))
      .map(({ field }) => refused(field)),
  );
}

/** Adds to each row how its values are shown. */
export async function addLabels<Row extends object>(
  named: readonly Named[],
  rows: readonly Row[],
): Promise<(Row & { labels?: Labels })[]> {
  if (named.length === 0) return [...rows];
  const readers = named.map(async ([field, reference]) => {
    const values = [...new Set(rows.map((row) => Object(row)[field]).filter(isNamed))];
    return [
      field,
      values.length === 0 ? new Map<string, string>() : await reference.readLabels(values),
    ] as const;
  });
  const labels = await settleAll(readers);
  return rows.map((row) => {
    const own = labels.flatMap(([field, known]) => {
      const label = known.get(String(Object(row)[field]));
      return label === undefined ? [] : [[field, label]];
    });
    return { ...row, labels: Object.fromEntries(own) };
  });
}
