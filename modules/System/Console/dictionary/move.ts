import { byOrder } from '#shared/dict/order.ts';

/** What orders items: larger values of `sort` come first. */
export interface Sortable {
  value: string;
  sort: number;
}
/** An item in its new place; undefined `sort` is to be chosen. */
export interface Placed {
  value: string;
  sort?: number | undefined;
}

/** Space left between items, for those that are put there later. */
const gap = 10;
/** The number of the last item if all get new numbers: so many items can be added below it without a change of others. */
const lowest = 1000;
const highest = 1_000_000;

/**
 * Values of `sort` that put items in this order, of as few items as possible. None is negative.
 *
 * @returns new values; those of all items without one, and of others only if there is no room
 */
export function planOrder(order: readonly Placed[]): Sortable[] {
  const plans = [climb(order, 1), climb(order, -1)].filter((plan) =>
    plan.every(({ sort }) => sort >= 0 && sort <= highest),
  );
  const [shortest] = plans.sort((a, b) => a.length - b.length);
  return (
    shortest ?? order.map(({ value }, index) => ({ value, sort: lowest + gap * (order.length - 1 - index) }))
  );
}

/** Moves an item to another place. @param items all of the type, in order */
export function planMove(items: readonly Sortable[], from: number, to: number): Sortable[] {
  const moved = items[from];
  if (!moved || from === to || to < 0 || to >= items.length) return [];
  const others: readonly Placed[] = items.toSpliced(from, 1);
  return planOrder(others.toSpliced(to, 0, { value: moved.value }));
}

/** Numbers items from the last one upwards (1) or from the first one downwards (-1). What has its place keeps it. */
function climb(order: readonly Placed[], step: 1 | -1): Sortable[] {
  const walk = step > 0 ? order.toReversed() : order;
  const changed: Sortable[] = [];
  let last: Sortable | undefined;
  for (const [index, place] of walk.entries()) {
    if (isBeyond(place, last, step)) last = place;
    else {
      last = { value: place.value, sort: findRoom(walk.slice(index), last, step) };
      changed.push(last);
    }
  }
  return changed;
}

function isBeyond(place: Placed, last: Sortable | undefined, step: 1 | -1): place is Sortable {
  const { value, sort } = place;
  return sort !== undefined && (!last || byOrder({ value, sort }, last) * step < 0);
}

/** A value for the first of these items, beyond the last one, with room for those up to the next that has its place. */
function findRoom(walk: readonly Placed[], last: Sortable | undefined, step: 1 | -1): number {
  const count = walk.findIndex((place) => isBeyond(place, last, step));
  const next = walk[count]?.sort;
  if (next === undefined)
    return last ? last.sort + step * gap : lowest + (step > 0 ? 0 : gap * (walk.length - 1));
  const bound = last?.sort ?? (step > 0 ? -1 : Number.POSITIVE_INFINITY);
  const room = Math.min(gap, Math.floor(((next - bound) * step) / (count + 1)));
  if (room >= 1) return next - step * count * room;
  return last ? last.sort + step * gap : lowest;
}
