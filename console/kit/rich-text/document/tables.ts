import { Extension, Node } from '@tiptap/core';
import { goToNextCell, tableEditing } from '@tiptap/pm/tables';

// ProseMirror's tables. Tiptap's own package for them is not used: it knows a few attributes of cells only.

/** What is read of an element of the page. Tests have no page. */
export interface DomElement {
  tagName: string;
  attributes: Iterable<{ name: string; value: string }>;
  parentElement: { tagName: string } | null;
  getAttribute(name: string): string | null;
}

const roles: Readonly<Record<string, string>> = {
  table: 'table',
  tableRow: 'row',
  tableCell: 'cell',
  tableHeader: 'header_cell',
};
const hidden = { rendered: false, parseHTML: () => null };

const Table = Node.create({
  name: 'table',
  group: 'block',
  content: 'tableRow+',
  isolating: true,
  addAttributes: () => ({ columns: { default: null, ...hidden }, sections: { default: null, ...hidden } }),
  parseHTML: () => [{ tag: 'table' }],
  renderHTML: ({ HTMLAttributes }) => ['table', HTMLAttributes, ['tbody', 0]],
  addKeyboardShortcuts() {
    const go = (direction: 1 | -1) => () =>
      goToNextCell(direction)(this.editor.state, this.editor.view.dispatch);
    return { Tab: go(1), 'Shift-Tab': go(-1) };
  },
  addProseMirrorPlugins: () => [tableEditing()],
});

const TableRow = Node.create({
  name: 'tableRow',
  content: '(tableCell | tableHeader)*',
  addAttributes: () => ({
    section: {
      default: 'tbody',
      rendered: false,
      parseHTML: ({ parentElement }: DomElement) => {
        const name = parentElement?.tagName.toLowerCase() ?? '';
        return /^t(foot|head)$/.test(name) ? name : 'tbody';
      },
    },
  }),
  parseHTML: () => [{ tag: 'tr' }],
  renderHTML: ({ HTMLAttributes }) => ['tr', HTMLAttributes, 0],
});

const span = (name: string) => ({
  default: 1,
  parseHTML: (element: DomElement) => Number(element.getAttribute(name)) || 1,
});
const createCell = (name: string, tag: string) =>
  Node.create({
    name,
    content: 'block+',
    isolating: true,
    addAttributes: () => ({
      colspan: span('colspan'),
      rowspan: span('rowspan'),
      colwidth: { default: null, ...hidden },
    }),
    parseHTML: () => [{ tag }],
    renderHTML: ({ HTMLAttributes }) => [tag, HTMLAttributes, 0],
  });

/** A table with its caption, which is written into it. */
const CaptionedTable = Node.create({
  name: 'captionedTable',
  group: 'block',
  content: 'tableCaption table',
  isolating: true,
  parseHTML: () => [{ tag: 'div[data-pm-captioned]' }],
  renderHTML: () => ['div', { 'data-pm-captioned': '' }, 0],
});
const TableCaption = Node.create({
  name: 'tableCaption',
  content: 'block+',
  isolating: true,
  parseHTML: () => [{ tag: 'div[data-pm-caption]' }],
  renderHTML: ({ HTMLAttributes }) => ['div', { ...HTMLAttributes, 'data-pm-caption': '' }, 0],
});
const TableRoles = Extension.create({
  name: 'tableRoles',
  extendNodeSchema: ({ name }) => (name in roles ? { tableRole: roles[name] } : {}),
});

export const tableExtensions = [
  Table,
  TableRow,
  CaptionedTable,
  TableCaption,
  TableRoles,
  createCell('tableCell', 'td'),
  createCell('tableHeader', 'th'),
];
