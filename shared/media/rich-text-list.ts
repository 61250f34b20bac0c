// The allow-list of rich text: what an article may hold. The service keeps exactly this (`sanitize-html.ts`), and the
// console's editor offers nothing else.

/** Allowed elements, and the attributes of each beside {@link commonAttributes}. Names as in HTML. */
export const richTextElements: Readonly<Record<string, readonly string[]>> = {
  ...listElements('abbr b bdi bdo big br caption center cite code dd dfn div dl dt em figcaption figure'),
  ...listElements('h1 h2 h3 h4 h5 h6 hr i kbd mark p picture pre rp rt ruby s samp section small span'),
  ...listElements('strike strong sub summary sup tbody tfoot thead tr tt u ul var wbr'),
  a: ['href', 'hreflang', 'rel', 'target'],
  audio: ['src', 'controls', 'loop', 'muted', 'preload'],
  blockquote: ['cite'],
  col: ['span', 'width'],
  colgroup: ['span', 'width'],
  del: ['cite', 'datetime'],
  details: ['open'],
  font: ['color', 'face', 'size'],
  img: ['src', 'srcset', 'sizes', 'alt', 'width', 'height', 'loading', 'border'],
  ins: ['cite', 'datetime'],
  li: ['value'],
  ol: ['reversed', 'start', 'type'],
  q: ['cite'],
  source: ['src', 'srcset', 'sizes', 'type', 'media'],
  table: ['border', 'cellpadding', 'cellspacing', 'width'],
  td: ['abbr', 'colspan', 'headers', 'rowspan', 'valign', 'width', 'height'],
  th: ['abbr', 'colspan', 'headers', 'rowspan', 'scope', 'valign', 'width', 'height'],
  time: ['datetime'],
  track: ['src', 'default', 'kind', 'label', 'srclang'],
  video: ['src', 'poster', 'controls', 'loop', 'muted', 'playsinline', 'preload', 'width', 'height'],
};

/** Attributes of every allowed element, beside `data-*` and `style`. No `id` and `name`: they can replace a page's own. */
export const commonAttributes: readonly string[] = ['align', 'class', 'dir', 'lang', 'title'];

/** Properties of a `style` attribute. None takes an element out of its place, and none loads anything. */
const styleProperties = [
  'background-color',
  'border(-(bottom|collapse|color|left|right|style|top|width))?',
  'color',
  'font-(family|size|style|variant|weight)',
  'height',
  'letter-spacing',
  'line-height',
  'list-style-type',
  'max-width',
  'padding(-(bottom|left|right|top))?',
  'text-(align|decoration|indent|transform)',
  'vertical-align',
  'white-space',
  'width',
  'word-break',
];
const words = `[\\w\\s.,%#'"+-]*`;
const declaration = `(${styleProperties.join('|')})\\s*:${words}(rgba?\\([\\d\\s.,%]*\\)${words})*`;
/** A `style` attribute that is kept. Backslashes, comments and functions other than `rgb` are refused. */
export const safeStyle = new RegExp(`^[\\s;]*(${declaration}(;[\\s;]*|$))*$`, 'i');

/** Schemes of links. A relative link needs none. */
export const linkSchemes: readonly string[] = ['http', 'https', 'mailto', 'tel'];
/** Schemes of pictures, videos and sounds. A browser runs no script in them. */
export const mediaSchemes: readonly string[] = ['http', 'https', 'data', 'blob'];

function listElements(names: string): Record<string, readonly string[]> {
  return Object.fromEntries(names.split(' ').map((name) => [name, []]));
}
