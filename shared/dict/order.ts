/** Order of items: `sort` descending, then `value` by code unit. */
export function byOrder(a: { sort: number; value: string }, b: { sort: number; value: string }): number {
  return b.sort - a.sort || (a.value < b.value ? -1 : Number(a.value > b.value));
}
