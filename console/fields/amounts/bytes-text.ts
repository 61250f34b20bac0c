const megabyte = 1024 ** 2;
/** Enough to tell every byte. */
const places = 7;

/** Bytes of a number of MB, with a point or comma; other words as they are. */
export function readMegabytes(typed: string): number | string {
  const text = typed.trim().replace(',', '.');
  return /^(\d{1,9}\.?\d{0,9}|\.\d{1,9})$/.test(text) ? Math.round(Number(text) * megabyte) : text;
}

/** A number of bytes in MB; other values as they are. */
export const writeMegabytes = (held: unknown): string =>
  typeof held === 'number' ? String(Number((held / megabyte).toFixed(places))) : String(held ?? '');
