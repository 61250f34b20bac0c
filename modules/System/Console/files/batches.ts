/** Most files of one request. */
const batchSize = 50;

/** Cuts files into batches that one request takes. */
export function cutBatches<Item>(items: readonly Item[], size = batchSize): Item[][] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size));
}
