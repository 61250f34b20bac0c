import { findPictureKey, toVariantPath, toVariantQuery } from '#shared/storage/naming/variant-link.ts';
import type { VariantSize } from '#shared/storage/naming/variant-path.ts';

type Engine = Parameters<typeof toVariantPath>[0];

/** What the addresses of files begin with, by engine, as the service writes it into the index. */
const origins: Partial<Record<Engine, string>> = JSON.parse(
  document.querySelector<HTMLMetaElement>('meta[name=storage]')?.content ?? '{}',
);

const isEngine = (name: string): name is Engine => Object.hasOwn(origins, name);
const findEngine = (origin: string): Engine | undefined =>
  Object.keys(origins)
    .filter(isEngine)
    .find((name) => origins[name] === origin);

/** The base URL of this site's files, from the address of one: up to `/storage/`. */
const ownFile = /^(.*\/storage\/)uploads\//;

/** The address of a picture's variant, by the address of the picture; that one if it has none. */
export function toVariant(url: string, size: VariantSize): string {
  const key = findPictureKey(url);
  if (!key) return url;
  const [, base] = ownFile.exec(url) ?? [];
  if (base) return `${base}${toVariantPath('local', key, size)}`;
  const engine = URL.canParse(url) ? findEngine(new URL(url).origin) : undefined;
  if (!engine) return url;
  const query = toVariantQuery(engine, size);
  return query === undefined
    ? `${location.origin}/storage/${toVariantPath(engine, key, size)}`
    : `${url}?${query}`;
}
