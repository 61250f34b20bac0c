import fc from 'fast-check';
import { rawJson } from './raw-json.ts';
import { hostileKey, hostileText } from './texts.ts';

/** JSON that does not fit its place. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: hostileText },
  { weight: 3, arbitrary: rawJson },
  {
    weight: 2,
    arbitrary: fc.constantFrom(null, true, false, 0, -1, 1.5, '', [], {}, [null], [[]], { a: {} }),
  },
  { weight: 1, arbitrary: fc.dictionary(hostileKey, fc.constantFrom(1, 'a', null), { maxKeys: 3 }) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  {
    weight: 1,
    arbitrary: fc.nat({ max: 3000 }).map((length) => Array.from({ length }, (_, index) => index)),
  },
);

interface Breakage {
  kind: 'replace' | 'remove' | 'add' | 'wrap' | 'repeat';
  at: number;
  key: string;
  value: unknown;
}

const breakage: fc.Arbitrary<Breakage> = fc.record({
  kind: fc.oneof(
    { weight: 5, arbitrary: fc.constant('replace' as const) },
    { weight: 1, arbitrary: fc.constantFrom('remove', 'add', 'wrap', 'repeat') },
  ),
  at: fc.nat({ max: 1000 }),
  key: hostileKey,
  value: hostileValue,
});

/** A value with one to three things in it replaced, taken out, added, wrapped or repeated. */
export function broken(value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const breakages = fc.array(breakage, { minLength: 1, maxLength: 3 });
  return fc.tuple(value, breakages).map(([whole, list]) => list.reduce(applyOnce, whole));
}

function applyOnce(whole: unknown, breakage: Breakage): unknown {
  const places = listPlaces(whole);
  const place = places[breakage.at % places.length] ?? [];
  return change(whole, place, (found) => breakAt(found, breakage));
}

const removed = Symbol('removed');

function breakAt(found: unknown, { kind, key, value }: Breakage): unknown {
  if (kind === 'remove') return removed;
  if (kind === 'wrap') return [found];
  if (kind === 'repeat') return Array.from({ length: 60 }, () => found);
  if (kind === 'add' && isObject(found)) return copyWith(found, key, value);
  return value;
}

/** Every place in a value, outermost first. */
function listPlaces(value: unknown, at: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [at];
  const entries = Object.entries(value).slice(0, 50);
  return [at, ...entries.flatMap(([key, each]) => listPlaces(each, [...at, key]))];
}

function change(
  value: unknown,
  [key, ...rest]: readonly string[],
  make: (found: unknown) => unknown,
): unknown {
  if (key === undefined) return make(value);
  if (Array.isArray(value)) {
    return value
      .map((each, index) => (String(index) === key ? change(each, rest, make) : each))
      .filter((each) => each !== removed);
  }
  if (!isObject(value)) return value;
  const next = change(value[key], rest, make);
  if (next !== removed) return copyWith(value, key, next);
  const { [key]: _gone, ...others } = value;
  return others;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A copy with one more entry, `__proto__` as an entry too. */
function copyWith(value: Record<string, unknown>, key: string, entry: unknown): Record<string, unknown> {
  const copy = Object.create(null);
  for (const name of Object.keys(value)) copy[name] = value[name];
  copy[key] = entry;
  return copy;
}
