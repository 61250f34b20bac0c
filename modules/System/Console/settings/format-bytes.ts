const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

/** A size with the largest unit that gives at least 1: `5 MiB`. */
export function formatBytes(bytes: number): string {
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(bytes, 1)) / 10));
  return `${Number((bytes / 1024 ** power).toFixed(1))} ${units[power]}`;
}
