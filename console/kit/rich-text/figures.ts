import { type Editor, findParentNode } from '@tiptap/core';
import type { Node } from '@tiptap/pm/model';
import { TextSelection } from '@tiptap/pm/state';

const findFigure = findParentNode(({ type }) => type.name === 'figure');

export const isInFigure = ({ state }: Editor): boolean => findFigure(state.selection) !== undefined;

/** Puts the selected picture into a figure with a caption, or takes it out. */
export function toggleCaption(editor: Editor): void {
  const figure = findFigure(editor.state.selection);
  if (figure) removeCaption(editor, figure);
  else addCaption(editor);
}

function addCaption(editor: Editor): void {
  const { selection } = editor.state;
  const { $from } = selection;
  if (!$from.parent.inlineContent) return;
  const pictures: Node[] = [];
  selection.content().content.descendants((node) => {
    if (node.type.name === 'image') pictures.push(node);
  });
  const [picture] = pictures;
  if (!picture) return;
  const { nodes } = editor.schema;
  const bare = (content?: Node) => nodes.paragraph?.create({ bare: true }, content);
  const caption = nodes.figcaption?.create(null, bare());
  const created = nodes.figure?.create(
    null,
    [bare(picture), caption].filter((node) => node !== undefined),
  );
  if (!created) return;
  const isAlone = $from.parent.childCount === 1;
  const { tr } = editor.state;
  const [from, to] = isAlone ? [$from.before(), $from.after()] : [selection.from, selection.to];
  tr.replaceRangeWith(from, to, created);
  tr.doc.nodesBetween(from, tr.doc.content.size, (node, position) => {
    if (node.type.name === 'figcaption' && tr.selection.$from.parent.type.name !== 'figcaption')
      tr.setSelection(TextSelection.near(tr.doc.resolve(position + 1)));
    return !tr.selectionSet;
  });
  editor.view.dispatch(tr.scrollIntoView());
  editor.view.focus();
}

/** The parts of the figure stay, as paragraphs. */
function removeCaption(editor: Editor, { node, pos }: { node: Node; pos: number }): void {
  const blocks: Node[] = [];
  node.forEach((child) => {
    if (child.type.name !== 'figcaption') blocks.push(child);
    else
      child.forEach((block) => {
        if (block.content.size > 0) blocks.push(block);
      });
  });
  editor.view.dispatch(editor.state.tr.replaceWith(pos, pos + node.nodeSize, blocks));
  editor.view.focus();
}
