import type { EngineName } from '../engines.ts';
import { hasVariants, type VariantSize, variantSizes } from './variant-path.ts';

/** The query with which the cloud itself answers a picture whose sides have at most so many pixels, never enlarged. */
const queries: Partial<Record<EngineName, (pixels: number) => string>> = {
  qiniu: (pixels) => `imageView2/2/w/${pixels}/h/${pixels}`,
  aliyun: (pixels) => `x-oss-process=image/resize,m_lfit,w_${pixels},h_${pixels}`,
  qcloud: (pixels) => `imageMogr2/auto-orient/thumbnail/${pixels}x${pixels}%3E`,
};

/** The query that asks a cloud for a variant; undefined if this service makes the variants of the engine. */
export const toVariantQuery = (engine: EngineName, size: VariantSize): string | undefined =>
  queries[engine]?.(variantSizes[size]);

/** The path below `/storage/` of a variant that this service makes. */
export const toVariantPath = (engine: EngineName, key: string, size: VariantSize): string =>
  `variants/${engine}/${size}/${key}`;

/** The key of a public picture with variants, at the end of its address. */
const pictureKey = /(?:^|\/)(uploads\/image\/\d{8}\/[0-9a-f]{30}\.(?:jpe?g|png|gif|webp))$/;

/** The key that the address of a public picture ends with; undefined if it has no variants. */
export const findPictureKey = (url: string): string | undefined => pictureKey.exec(url)?.[1];

/** A stored file, by its engine. */
interface Stored {
  engine: EngineName;
  key: string;
  /** Null for a private file. */
  uri: string | null;
}

/** The addresses of a file's variants, as `uri` is stored. Null for private files, and for those without variants. */
export function listVariants({ engine, key, uri }: Stored): Record<VariantSize, string> | null {
  if (uri === null || !hasVariants(key)) return null;
  const link = (size: VariantSize) => {
    const query = toVariantQuery(engine, size);
    return query === undefined ? `storage/${toVariantPath(engine, key, size)}` : `${uri}?${query}`;
  };
  return {
    thumb: link('thumb'),
    small: link('small'),
    medium: link('medium'),
    large: link('large'),
    xlarge: link('xlarge'),
  };
}
