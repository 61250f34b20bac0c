/** What a page shows over its list. */
export interface Address {
  /** Name of the action: `detail`, `edit`, `add`. */
  action: string;
  /** Values of the record's keys; empty for a new record. */
  keys: string[];
}

/** Reads the hash of a URL: `#edit/01J0000000000000000000000A`. @returns undefined for all others */
export function readAddress(hash: string): Address | undefined {
  const [action = '', ...keys] = hash.slice(1).split('/');
  // The router has decoded the rest; a slash within a key was encoded twice.
  return /^[\w-]+$/.test(action) ? { action, keys: keys.map(decodePart) } : undefined;
}

function decodePart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The hash that {@link readAddress} reads. */
export const writeAddress = ({ action, keys }: Address): string =>
  `#${[action, ...keys.map((key) => encodeURIComponent(key))].join('/')}`;
