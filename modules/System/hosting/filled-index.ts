import type { Brand } from '../site/brand.ts';

/**
 * The console's index with the brand: its title and icon, and the rest for the console's scripts, which read it before the
 * login without a request. They also read what the addresses of files begin with, and so find the variants of pictures.
 */
export function toFilledIndex(index: string, brand: Brand, origins: object): string {
  const { name, icon } = brand;
  const meta = Object.entries({ brand, storage: origins })
    .map(([title, content]) => `<meta name="${title}" content="${escapeHtml(JSON.stringify(content))}" />`)
    .join('');
  return index
    .replace(/<link rel="icon"[^<>]*>/, (own) =>
      icon ? `<link rel="icon" href="${escapeHtml(icon)}" />` : own,
    )
    .replace(/<title>[^<]*<\/title>/, (own) => (name ? `<title>${escapeHtml(name)}</title>` : own) + meta);
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (each) => entities[each] ?? each);
