import type { Brand } from '../site/brand.ts';

/**
 * The console's index with the brand: its title and icon, and the rest for the console's scripts, which read it before the
 * login without a request.
 */
export function toBrandedIndex(index: string, brand: Brand): string {
  const { name, icon } = brand;
  const meta = `<meta name="brand" content="${escapeHtml(JSON.stringify(brand))}" />`;
  return index
    .replace(/<link rel="icon"[^<>]*>/, (own) =>
      icon ? `<link rel="icon" href="${escapeHtml(icon)}" />` : own,
    )
    .replace(/<title>[^<]*<\/title>/, (own) => (name ? `<title>${escapeHtml(name)}</title>` : own) + meta);
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (each) => entities[each] ?? each);
