import { findPictureKey } from '#shared/storage/naming/variant-link.ts';
import { type Element, read } from './tree.ts';

/** The address of a link as the service keeps it; undefined if it has none. @param base address of the page */
export function readLink(element: Element, base: string): string | undefined {
  const href = read(element, 'href').trim();
  if (/^(mailto|tel):/i.test(href)) return href;
  const address = resolve(href, base);
  if (!address || href.startsWith('#')) return undefined;
  // Google Docs and Gmail lead links over a page of their own.
  const isDetour = /^https:\/\/www\.google\.com\/url\?/.test(address);
  return (isDetour && new URL(address).searchParams.get('q')) || address;
}

/** The address of a picture: `https:`, or `data:` with its bytes. @returns undefined if only the source's machine has it */
export function readPicture(element: Element, base: string): string | undefined {
  const lazy = ['data-src', 'data-original', 'data-lazy-src', 'data-actualsrc'].map((name) =>
    read(element, name),
  );
  const whole = read(element, 'src');
  const sources = [
    ...lazy,
    // What `srcset` of the own editor names are smaller versions of it.
    ...(findPictureKey(whole) ? [whole] : []),
    largest(read(element, 'srcset') || read(element, 'data-srcset')),
    whole,
  ];
  const addresses = sources.map((each) => resolve(each.trim(), base));
  const found = addresses.find((address) => address !== undefined);
  const own = read(element, 'src').trim();
  return found ?? (/^data:image\/(png|jpe?g|gif|webp|bmp|avif);base64,/i.test(own) ? own : undefined);
}

/** Whether a picture only counts readers. */
export const isTracker = (element: Element): boolean =>
  ['width', 'height'].every((name) => /^[01](px)?$/.test(read(element, name)));

function largest(sources: string): string {
  const all = sources.split(/,\s+/).map((source) => {
    const [address = '', size = '1'] = source.trim().split(/\s+/);
    return { address, size: Number.parseFloat(size) };
  });
  return all.sort((one, other) => other.size - one.size)[0]?.address ?? '';
}

function resolve(address: string, base: string): string | undefined {
  if (address === '') return undefined;
  const whole = address.startsWith('//') ? `https:${address}` : address;
  if (!URL.canParse(whole, base || undefined)) return undefined;
  const url = new URL(whole, base || undefined);
  return /^https?:$/.test(url.protocol) ? url.href : undefined;
}
