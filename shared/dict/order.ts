interface Ordered {
  sort: number;
  value: string;
}

/** Order of items: `sort` descending, then `value` by code unit. */
export function byOrder(a: Ordered, b: Ordered): number {
  return b.sort - a.sort || (a.value < b.value ? -1 : Number(a.value > b.value));
}
