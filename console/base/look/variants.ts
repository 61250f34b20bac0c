import { findPictureKey, toVariantPath, toVariantQuery } from '#shared/storage/naming/variant-link.ts';
import type { VariantSize } from '#shared/storage/naming/variant-path.ts';

type Engine = Parameters<typeof toVariantPath>[0];

/** Where files are, as the service writes it into the index: the base URL of this site, and origins by engine. */
const { site = location.origin, origins = {} }: { site?: string; origins?: Partial<Record<Engine, string>> } =
  JSON.parse(document.querySelector<HTMLMetaElement>('meta[name=storage]')?.content ?? '{}');
const own = `${site}/storage/`;

const isEngine = (name: string): name is Engine => Object.hasOwn(origins, name);
const findEngine = (origin: string): Engine | undefined =>
  Object.keys(origins)
    .filter(isEngine)
    .find((name) => origins[name] === origin);

/** The address of a picture's variant, by the address of the picture; that one if it has none. */
export function toVariant(url: string, size: VariantSize): string {
  const key = findPictureKey(url);
  if (!key) return url;
  if (url === own + key) return own + toVariantPath('local', key, size);
  const engine = URL.canParse(url) ? findEngine(new URL(url).origin) : undefined;
  if (!engine) return url;
  const query = toVariantQuery(engine, size);
  return query === undefined ? own + toVariantPath(engine, key, size) : `${url}?${query}`;
}

/** The address of a picture for a large place. An animation stays whole: its variants are its first frame. */
export const toLarge = (url: string): string => (/\.gif$/.test(url) ? url : toVariant(url, 'large'));
