import { Extension, Mark, markInputRule, Node } from '@tiptap/core';
import Image from '@tiptap/extension-image';
import StarterKit from '@tiptap/starter-kit';
import { commonAttributes, richTextElements, safeStyle } from '#shared/media/rich-text-list.ts';
import {
  type Attributes,
  containers,
  innerContainers,
  markElements,
  ownAttributes,
  plainMarks,
  readMap,
  repeatedMarks,
} from './elements.ts';
import { type DomElement, tableExtensions } from './tables.ts';

const containerNodes = Object.entries(containers).map(([name, content]) =>
  Node.create({
    name,
    content,
    ...(!(name in innerContainers) && { group: 'block' }),
    defining: true,
    parseHTML: () => [{ tag: name }],
    // Terms and folded parts are shown open, with their text.
    renderHTML: ({ HTMLAttributes }) => [
      name,
      { ...HTMLAttributes, ...(name === 'details' && { open: '' }) },
      0,
    ],
  }),
);

const plainMarkTypes = plainMarks.map((name) =>
  Mark.create({
    name,
    ...(repeatedMarks.includes(name) && { excludes: '' }),
    parseHTML: () => [{ tag: name }],
    renderHTML: ({ HTMLAttributes }) => [name, HTMLAttributes, 0],
    ...(name === 'code' && {
      addInputRules() {
        return [markInputRule({ find: /(?:^|[^`])(`([^`]+)`)$/, type: this.type })];
      },
    }),
  }),
);

/** Preformatted text with marks; one without is a block of code. */
const Preformatted = Node.create({
  name: 'pre',
  group: 'block',
  content: 'inline*',
  code: true,
  defining: true,
  parseHTML: () => [{ tag: 'pre[data-pm-marks]', preserveWhitespace: 'full', priority: 60 }],
  renderHTML: ({ HTMLAttributes }) => ['pre', { ...HTMLAttributes, 'data-pm-marks': '' }, 0],
});

const WordBreak = Node.create({
  name: 'wbr',
  group: 'inline',
  inline: true,
  parseHTML: () => [{ tag: 'wbr' }],
  renderHTML: ({ HTMLAttributes }) => ['wbr', HTMLAttributes],
});

/** A sound, a video or a picture of several sources, as it is. */
const Media = Node.create({
  name: 'media',
  group: 'inline',
  inline: true,
  atom: true,
  addAttributes: () => ({
    element: {
      default: '',
      parseHTML: (element: DomElement) => element.getAttribute('data-pm-media') ?? '',
      renderHTML: ({ element }: Record<string, unknown>) => ({ 'data-pm-media': element }),
    },
  }),
  parseHTML: () => [{ tag: 'span[data-pm-media]' }],
  renderHTML({ HTMLAttributes, node }) {
    const address = /\ssrc="([^"]*)/.exec(String(node.attrs.element))?.[1] ?? '';
    const name = address.split('/').at(-1) ?? '';
    return ['span', HTMLAttributes, `▶ ${name}`];
  },
});

/** Attributes of an element that the service keeps, without those that its node has itself. */
function readAttributes(type: string, element: DomElement): Attributes | null {
  const tag = element.tagName.toLowerCase();
  const names = [...(richTextElements[tag] ?? []), ...commonAttributes];
  const found = [...element.attributes].flatMap(({ name, value }): [string, string][] => {
    if (ownAttributes[type]?.includes(name)) return [];
    if (name === 'style' || name === 'data-pm-style') return safeStyle.test(value) ? [['style', value]] : [];
    const isKept = names.includes(name) || (name.startsWith('data-') && !name.startsWith('data-pm-'));
    return isKept ? [[name, value]] : [];
  });
  return found.length > 0 ? Object.fromEntries(found) : null;
}

const withHtml = [
  'paragraph',
  'heading',
  'blockquote',
  'bulletList',
  'orderedList',
  'listItem',
  'horizontalRule',
  'codeBlock',
  'pre',
  'hardBreak',
  'wbr',
  'image',
  'table',
  'tableRow',
  'tableCell',
  'tableHeader',
  'tableCaption',
  ...Object.keys(containers),
  ...Object.keys(markElements),
  ...plainMarks,
];
const hidden = (value: unknown) => ({ default: value, rendered: false, parseHTML: () => value });

/** What Tiptap's own nodes and marks do not know: further attributes, and which of two elements it was. */
const KeptMarkup = Extension.create({
  name: 'keptMarkup',
  addGlobalAttributes: () => [
    ...withHtml.map((type) => ({
      types: [type],
      attributes: {
        html: {
          default: null,
          parseHTML: (element: DomElement) => readAttributes(type, element),
          renderHTML: ({ html }: Record<string, unknown>) => readMap(html),
        },
      },
    })),
    ...Object.entries(markElements).map(([type, [tag]]) => ({
      types: type === 'link' ? [] : [type],
      attributes: { tag: hidden(tag) },
    })),
    { types: ['codeBlock'], attributes: { code: hidden({}) } },
    {
      types: ['paragraph'],
      attributes: {
        bare: {
          default: false,
          parseHTML: (element: DomElement) => element.getAttribute('data-pm-bare') !== null,
          renderHTML: ({ bare }: Record<string, unknown>) => (bare ? { 'data-pm-bare': '' } : {}),
        },
      },
    },
  ],
});

/** Without a description, screen readers pass a picture over, instead of reading its address. That is not saved. */
const Picture = Image.extend({
  renderHTML: ({ HTMLAttributes }) => ['img', { ...HTMLAttributes, alt: HTMLAttributes.alt ?? '' }],
});

/** The parts of the editor's document: together they hold all that the service keeps. */
export const documentExtensions = [
  ...plainMarkTypes,
  StarterKit.configure({
    code: false,
    link: { openOnClick: false, HTMLAttributes: { target: null, rel: null, class: null } },
  }),
  Picture.configure({ inline: true, allowBase64: true }),
  ...containerNodes,
  ...tableExtensions,
  Preformatted,
  WordBreak,
  Media,
  KeptMarkup,
];
