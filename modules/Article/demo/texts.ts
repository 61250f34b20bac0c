/** An article of the demo. */
export interface DemoText {
  title: string;
  /** A value of the dictionary `article_category`. */
  category: string;
  summary: string;
  paragraphs: readonly string[];
  isDisabled?: boolean;
}

const quoted: Record<string, string> = { '&': '&amp;', '<': '&lt;', '"': '&quot;' };
const escapeHtml = (text: string): string => text.replace(/[&<"]/g, (mark) => quoted[mark] ?? mark);

/** The content of an article: paragraphs, and a picture after the first. @param picture stored path; may be empty */
export function renderContent({ title, summary, paragraphs }: DemoText, picture: string): string {
  const [first = '', ...rest] = paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`);
  const caption = escapeHtml(title);
  const figure = `<figure><img src="${picture}" alt="${caption}"><figcaption>${caption}</figcaption></figure>`;
  const quote = `<blockquote>${escapeHtml(summary)}</blockquote>`;
  return [first, ...(picture ? [figure] : []), ...rest, quote].join('\n');
}
