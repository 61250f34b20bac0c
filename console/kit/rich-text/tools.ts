import type { ChainedCommands, Editor } from '@tiptap/core';
import { TextSelection } from '@tiptap/pm/state';
import {
  addColumnAfter,
  addColumnBefore,
  addRowAfter,
  addRowBefore,
  deleteColumn,
  deleteRow,
  deleteTable,
  isInTable,
  mergeCells,
  splitCell,
  toggleHeaderColumn,
  toggleHeaderRow,
} from '@tiptap/pm/tables';
import type { DocumentNode } from './document/elements.ts';
import { isInFigure, toggleCaption } from './figures.ts';

/** A button of the editor's bar. Its name is `rich_text.<name>`. */
export interface Tool {
  name: string;
  /** A few letters, for tools that have no name in words on the bar. */
  sign?: string;
  isActive?(editor: Editor): boolean;
  /** Whether it can be used where the cursor is. @default always */
  isUsable?(editor: Editor): boolean;
  run(editor: Editor): void;
}

const chain = (
  name: string,
  sign: string,
  type: string | undefined,
  run: (chain: ChainedCommands) => ChainedCommands,
): Tool => ({
  name,
  sign,
  ...(type !== undefined && { isActive: (editor) => editor.isActive(type) }),
  run: (editor) => void run(editor.chain().focus()).run(),
});

/** Inserts a table of three columns, with the cursor in its first cell. */
function insertTable(editor: Editor): void {
  const cell = (type: string): DocumentNode => ({
    type,
    content: [{ type: 'paragraph', attrs: { bare: true } }],
  });
  const row = (type: string, section: string): DocumentNode => ({
    type: 'tableRow',
    attrs: { section },
    content: [cell(type), cell(type), cell(type)],
  });
  const body = [row('tableCell', 'tbody'), row('tableCell', 'tbody')];
  const table = { type: 'table', content: [row('tableHeader', 'thead'), ...body] };
  const start = editor.state.selection.from;
  editor
    .chain()
    .focus()
    .insertContent(table)
    .command(({ tr }) => {
      let first: number | undefined;
      tr.doc.nodesBetween(Math.max(0, start - 1), tr.doc.content.size, (node, position) => {
        if (node.type.name === 'tableHeader') first ??= position;
        return first === undefined;
      });
      if (first !== undefined) tr.setSelection(TextSelection.near(tr.doc.resolve(first + 1)));
      return true;
    })
    .run();
}

export const toolGroups: readonly (readonly Tool[])[] = [
  ([1, 2, 3, 4] as const).map((level) => ({
    name: `heading_${level}`,
    sign: `H${level}`,
    isActive: (editor) => editor.isActive('heading', { level }),
    run: (editor) => void editor.chain().focus().toggleHeading({ level }).run(),
  })),
  [
    chain('bold', 'B', 'bold', (each) => each.toggleBold()),
    chain('italic', 'I', 'italic', (each) => each.toggleItalic()),
    chain('underline', 'U', 'underline', (each) => each.toggleUnderline()),
    chain('strike', 'S', 'strike', (each) => each.toggleStrike()),
    chain('sub', 'x₂', 'sub', (each) => each.toggleMark('sub')),
    chain('sup', 'x²', 'sup', (each) => each.toggleMark('sup')),
    chain('code', '</>', 'code', (each) => each.toggleMark('code')),
  ],
  [
    chain('bullets', '•', 'bulletList', (each) => each.toggleBulletList()),
    chain('numbers', '1.', 'orderedList', (each) => each.toggleOrderedList()),
    chain('quote', '❝', 'blockquote', (each) => each.toggleBlockquote()),
    chain('code_block', '{ }', 'codeBlock', (each) => each.toggleCodeBlock()),
    chain('rule', '—', undefined, (each) => each.setHorizontalRule()),
  ],
  [
    chain('undo', '↶', undefined, (each) => each.undo()),
    chain('redo', '↷', undefined, (each) => each.redo()),
  ],
];

/** Tools with their names in words. */
export const insertTools: readonly Tool[] = [
  { name: 'table', isUsable: ({ state }) => !isInTable(state), run: insertTable },
  {
    name: 'caption',
    isActive: isInFigure,
    isUsable: (editor) => isInFigure(editor) || editor.isActive('image'),
    run: toggleCaption,
  },
];

const table = (name: string, command: typeof addRowAfter): Tool => ({
  name,
  isUsable: ({ state }) => command(state),
  run({ state, view }) {
    command(state, view.dispatch);
    view.focus();
  },
});
/** Tools of the table in which the cursor is. */
export const tableTools: readonly Tool[] = [
  table('row_before', addRowBefore),
  table('row_after', addRowAfter),
  table('row_delete', deleteRow),
  table('column_before', addColumnBefore),
  table('column_after', addColumnAfter),
  table('column_delete', deleteColumn),
  table('header_row', toggleHeaderRow),
  table('header_column', toggleHeaderColumn),
  table('merge', mergeCells),
  table('split', splitCell),
  table('table_delete', deleteTable),
];
