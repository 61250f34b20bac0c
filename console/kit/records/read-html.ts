const blocks = 'p, h1, h2, h3, h4, h5, h6, li, tr, blockquote, pre, figure, figcaption, hr, br';

/** Rich text as a person reads it: a line for each paragraph, the addresses of pictures and links. */
export function readHtml(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  for (const block of body.querySelectorAll(blocks)) block.append('\n');
  for (const each of body.querySelectorAll('br, hr')) each.after('\n');
  for (const cell of body.querySelectorAll('td, th')) cell.append('\t');
  for (const media of body.querySelectorAll('[src]')) media.after(` [${media.getAttribute('src')}] `);
  for (const link of body.querySelectorAll('a[href]')) link.append(` [${link.getAttribute('href')}]`);
  return (body.textContent ?? '').trim();
}
