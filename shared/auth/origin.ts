/** Where a login comes from. */
export interface LoginOrigin {
  /** The client's address. */
  address: string;
  /** Browser and system, as {@link describeDevice} names them; empty if the client does not say. */
  device: string;
}

const browsers = [
  ['Edge', /\bEdg(?:A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /SamsungBrowser/],
  ['Firefox', /Firefox|FxiOS/],
  ['Chrome', /Chrome|CriOS/],
  ['Safari', /Safari/],
] as const;
const systems = [
  ['iOS', /iPhone|iPad|iPod/],
  ['Android', /Android/],
  ['Windows', /Windows/],
  ['macOS', /Macintosh/],
  ['ChromeOS', /CrOS/],
  ['Linux', /Linux/],
] as const;

/**
 * Names browser and system of a client, without versions: an update makes no other device. A program is named by the
 * first word of its header.
 *
 * @param userAgent the header `User-Agent`
 */
export function describeDevice(userAgent = ''): string {
  const [browser, system] = [browsers, systems].map(
    (known) => known.find(([, pattern]) => pattern.test(userAgent))?.[0],
  );
  if (browser) return system ? `${browser}, ${system}` : browser;
  return /^[\w.-]{1,40}/.exec(userAgent)?.[0] ?? '';
}

/** Where a request comes from. */
export const readOrigin = ({
  address,
  event,
}: {
  address: string;
  event: { headers: Record<string, string | undefined> };
}): LoginOrigin => ({ address, device: describeDevice(event.headers['user-agent']) });
