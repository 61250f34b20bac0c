import type { Brand } from '../site/brand.ts';

/**
 * The console's index with the brand: its title and icon, and the rest for the console's scripts, which read it before the
 * login without a request. They also read what the addresses of files begin with, and so find the variants of pictures.
 *
 * @param sso text of the button of single sign-on; undefined if it is not set up
 */
export function toFilledIndex(index: string, brand: Brand, storage: object, sso?: string): string {
  const { name, icon } = brand;
  const contents = {
    brand: JSON.stringify(brand),
    storage: JSON.stringify(storage),
    ...(sso !== undefined && { sso }),
  };
  const meta = Object.entries(contents)
    .map(([title, content]) => `<meta name="${title}" content="${escapeHtml(content)}" />`)
    .join('');
  return index
    .replace(/<link rel="icon"[^<>]*>/, (own) =>
      icon ? `<link rel="icon" href="${escapeHtml(icon)}" />` : own,
    )
    .replace(/<title>[^<]*<\/title>/, (own) => (name ? `<title>${escapeHtml(name)}</title>` : own) + meta);
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (each) => entities[each] ?? each);
