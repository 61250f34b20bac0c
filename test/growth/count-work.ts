/** Elements or characters that a call of a built-in method reads or copies. */
type Cost = (self: { length: number }, args: readonly unknown[], result: unknown) => number;

const whole: Cost = ({ length }) => length;
const copied: Cost = (_self, _args, result) => Object(result).length ?? 0;
const both: Cost = (self, args, result) => whole(self, args, result) + copied(self, args, result);
/** The elements from the given position up to the result, which are read to find it. */
const searched: Cost = ({ length }, [, from], found) =>
  Math.max(0, (found === -1 ? length : Number(found)) - (typeof from === 'number' ? from : 0)) + 1;
const one: Cost = () => 1;

const arrayCosts: Record<string, Cost> = {
  ...Object.fromEntries(
    ['every', 'filter', 'includes', 'indexOf', 'join', 'map', 'reverse', 'shift'].map((name) => [
      name,
      whole,
    ]),
  ),
  ...Object.fromEntries(
    ['find', 'findIndex', 'some', 'sort', 'splice', 'unshift'].map((name) => [name, whole]),
  ),
  ...{ concat: copied, flat: copied, flatMap: both, slice: copied, push: one },
};
const stringCosts: Record<string, Cost> = {
  ...Object.fromEntries(
    ['matchAll', 'normalize', 'replaceAll', 'split', 'toLowerCase', 'toUpperCase', 'trim'].map((name) => [
      name,
      whole,
    ]),
  ),
  ...{ slice: copied, substring: copied, indexOf: searched, charCodeAt: one, codePointAt: one },
};
const expressionCosts: Record<string, Cost> = {
  exec: (_self, _args, result) => 1 + (Array.isArray(result) ? String(result[0]).length : 0),
};
const iterators = [[][Symbol.iterator](), ''[Symbol.iterator]()].map((each) => Object.getPrototypeOf(each));

/**
 * Counts what some code reads and copies with the built-in methods of lists, texts and expressions, spreads and
 * loops included. It says nothing of time, but grows as that does.
 */
export async function countWork(run: () => unknown): Promise<number> {
  let work = 0;
  const restores = [
    ...patch(Array.prototype, arrayCosts),
    ...patch(String.prototype, stringCosts),
    ...patch(RegExp.prototype, expressionCosts),
    ...iterators.flatMap((iterator) => patch(iterator, { next: one })),
  ];
  function patch(prototype: object, costs: Record<string, Cost>): (() => void)[] {
    return Object.entries(costs).map(([name, cost]) => {
      const native = Reflect.get(prototype, name);
      Reflect.set(prototype, name, function (this: { length: number }, ...args: unknown[]) {
        const result: unknown = Reflect.apply(native, this, args);
        work += cost(this, args, result);
        return result;
      });
      return () => void Reflect.set(prototype, name, native);
    });
  }
  try {
    await run();
  } finally {
    for (let at = 0; at < restores.length; at++) restores[at]?.();
  }
  return work;
}
