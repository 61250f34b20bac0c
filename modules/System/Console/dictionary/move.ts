/** What orders items: larger values of `sort` come first. */
export interface Sortable {
  value: string;
  sort: number;
}

/** Space left between an item that becomes the first or last, and the next. */
const gap = 10;

/** New values of `sort` that move an item to another place, as few as possible. @param items all of the type, in order */
export function planMove(items: readonly Sortable[], from: number, to: number): Sortable[] {
  const moved = items[from];
  if (!moved || from === to || to < 0 || to >= items.length) return [];
  const order = items.toSpliced(from, 1).toSpliced(to, 0, moved);
  const [before, after] = [order[to - 1], order[to + 1]];
  if (!before && after) return [{ value: moved.value, sort: after.sort + gap }];
  if (before && !after) return [{ value: moved.value, sort: before.sort - gap }];
  if (!before || !after) return [];
  const middle = Math.floor((before.sort + after.sort) / 2);
  if (middle < before.sort && middle > after.sort) return [{ value: moved.value, sort: middle }];
  const [down, up] = [
    shift(order.slice(to), before.sort, -1),
    shift(order.slice(0, to + 1).reverse(), after.sort, 1),
  ];
  return down.length <= up.length ? down : up;
}

/** Moves items away from a value of `sort`, until they have room. The first one always moves. */
function shift(items: readonly Sortable[], start: number, step: 1 | -1): Sortable[] {
  const changed: Sortable[] = [];
  let last = start;
  for (const { value, sort } of items) {
    if (changed.length > 0 && (sort - last) * step > 0) break;
    last += step;
    changed.push({ value, sort: last });
  }
  return changed;
}
