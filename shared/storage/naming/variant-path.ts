/** The sizes of variants: most pixels of a picture's longer side. */
export const variantSizes = { thumb: 160, small: 320, medium: 640, large: 1280, xlarge: 1920 } as const;
export type VariantSize = keyof typeof variantSizes;

export const variantNames = Object.keys(variantSizes).filter((name): name is VariantSize =>
  Object.hasOwn(variantSizes, name),
);

/** Extensions of pictures that have variants: not SVG, which has no pixels, and not BMP, which `sharp` cannot read. */
const varied: readonly string[] = ['jpg', 'jpeg', 'png', 'gif', 'webp'];

/** Whether a file with this key or extension has variants. */
export const hasVariants = (key: string): boolean => varied.includes(key.slice(key.lastIndexOf('.') + 1));

/** The key of a variant that this service makes, beside the key of its picture. */
export const toVariantKey = (key: string, size: VariantSize): string => `${key}.${size}.webp`;

const ending = new RegExp(`\\.(?:${variantNames.join('|')})\\.webp$`);

/** The key of the picture that a variant belongs to; a key that is no variant's stays. */
export const toOriginalKey = (key: string): string => key.replace(ending, '');

/** The keys of all objects that belong to a file: its own, and those of variants that may be stored beside it. */
export const listObjectKeys = (key: string): string[] => [
  key,
  ...(hasVariants(key) ? variantNames.map((size) => toVariantKey(key, size)) : []),
];
