import type { Editor } from '@tiptap/core';
import { variantSizes } from '#shared/storage/naming/variant-path.ts';
import { toVariant } from '../../base/look/variants.ts';

/** How long the measures of a picture are waited for. */
const mostMs = 10_000;

/** Pictures that may be animations; their variants are the first frame. */
const moving = /\.(gif|webp)$/;

/** Gives a picture in a text its `srcset`, so that a small screen loads a small variant. It stays without if that fails. */
export async function addSizes(editor: Editor, src: string): Promise<void> {
  const sizes = await describeSizes(src);
  if (!sizes || editor.isDestroyed) return;
  const { tr, doc } = editor.state;
  doc.descendants((node, position) => {
    const { src: own, html } = node.attrs;
    const isPlain = node.type.name === 'image' && own === src && !Object(html).srcset;
    if (isPlain) tr.setNodeMarkup(position, undefined, { ...node.attrs, html: { ...html, ...sizes } });
  });
  if (tr.docChanged) editor.view.dispatch(tr.setMeta('addToHistory', false));
}

/**
 * The attributes `srcset` and `sizes` of a picture. Undefined for one without variants, or no larger than the smallest.
 * A browser that cannot load a part of `srcset` shows nothing, so a variant is tried first.
 */
async function describeSizes(src: string): Promise<Record<string, string> | undefined> {
  const small = toVariant(src, 'small');
  if (small === src || moving.test(src)) return undefined;
  const [measures, tried] = await Promise.all([measure(src), measure(small)]);
  if (!measures || !tried) return undefined;
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
  if (smaller.length === 0) return undefined;
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
