import { variantSizes } from '#shared/storage/naming/variant-path.ts';
import { toVariant } from '../../base/look/variants.ts';

/** How long the measures of a picture are waited for. */
const mostMs = 10_000;

/**
 * The attributes `srcset` and `sizes` of a picture in a text, so that a small screen loads a small variant. Empty for a
 * picture without variants, and for one that is no larger than the smallest.
 */
export async function describeSizes(src: string): Promise<Record<string, string>> {
  const measures = toVariant(src, 'small') === src ? undefined : await measure(src);
  if (!measures) return {};
  const { width, height } = measures;
  const longest = Math.max(width, height);
  const smaller = (['small', 'medium', 'large', 'xlarge'] as const)
    .filter((size) => variantSizes[size] < longest)
    .map((size) => ({
      url: toVariant(src, size),
      width: Math.round((width * variantSizes[size]) / longest),
    }));
  // The pixels of a camera are more than a text needs.
  const whole = longest > variantSizes.xlarge ? [] : [{ url: src, width }];
  const all = [...smaller, ...whole];
  const widest = all.at(-1)?.width ?? width;
  if (smaller.length === 0) return {};
  return {
    srcset: all.map((each) => `${each.url} ${each.width}w`).join(', '),
    sizes: `(max-width: ${widest}px) 100vw, ${widest}px`,
  };
}

/** The sides of a picture in pixels; undefined if it cannot be loaded. */
function measure(src: string): Promise<{ width: number; height: number } | undefined> {
  return new Promise((resolve) => {
    const picture = new Image();
    const end = () => {
      clearTimeout(timer);
      const { naturalWidth: width, naturalHeight: height } = picture;
      resolve(width > 0 && height > 0 ? { width, height } : undefined);
    };
    const timer = setTimeout(end, mostMs);
    picture.onload = end;
    picture.onerror = end;
    picture.src = src;
  });
}
