import { Fragment, Slice } from '@tiptap/pm/model';
import { TextSelection } from '@tiptap/pm/state';
import { handlePaste as pasteIntoTable } from '@tiptap/pm/tables';
import type { EditorProps, EditorView } from '@tiptap/pm/view';
import { ref } from 'vue';
import { mayUpload } from '../files/use-files.ts';
import { readHtml } from './document/read-html.ts';
import { type CleanPaste, cleanPaste } from './paste/clean-paste.ts';
import type { LostKind } from './paste/lost.ts';
import { createPlaces, uploadEmbedded } from './picture-places.ts';

type Lost = { kind: LostKind | 'upload'; count: number }[];

const isOwn = (html: string): boolean => html.includes('data-pm-slice');
const picturesOf = (data: DataTransfer | null): File[] =>
  Array.from(data?.files ?? []).filter(({ type }) => type.startsWith('image/'));
const hasText = (html: string): boolean => html.replace(/<[^>]*>|&nbsp;|\s/g, '') !== '';

/** Puts the cursor where something is dropped. @returns whether the editor does not take it by itself */
function isPlaced(view: EditorView, { clientX, clientY, dataTransfer }: DragEvent): boolean {
  const position = view.posAtCoords({ left: clientX, top: clientY });
  const isForeign = picturesOf(dataTransfer).length > 0 || Boolean(dataTransfer?.getData('text/html'));
  if (!position || !isForeign) return false;
  const { tr, doc } = view.state;
  view.dispatch(tr.setSelection(TextSelection.near(doc.resolve(position.pos))));
  return true;
}

/** Pastes and drops of the editor. `lost` says what the last one lost. */
export function usePaste() {
  const lost = ref<Lost>([]);
  let last: { source: string; pasted: CleanPaste } | undefined;

  function clean(source: string): CleanPaste {
    if (last?.source !== source) last = { source, pasted: cleanPaste(source) };
    return last.pasted;
  }
  function place(view: EditorView, files: readonly File[]): void {
    if (!mayUpload()) lost.value = [...lost.value, { kind: 'upload', count: files.length }];
    else
      view.dispatch(
        view.state.tr.replaceSelection(
          new Slice(Fragment.from(createPlaces(view.state.schema, files)), 0, 0),
        ),
      );
  }
  function insert(view: EditorView, event: Event, pasted: CleanPaste): void {
    const { schema, tr } = view.state;
    const nodes = (readHtml(pasted.html).content ?? []).map((node) => schema.nodeFromJSON(node));
    const isUploaded = pasted.pictures.length === 0 || mayUpload();
    const content = isUploaded ? uploadEmbedded(schema, Fragment.from(nodes)) : Fragment.from(nodes);
    // Text continues the paragraph at the cursor. Lists, tables and headings stay whole.
    const [start, end] = [content.firstChild, content.lastChild].map((node) =>
      node?.type.name === 'paragraph' ? 1 : 0,
    );
    const slice = new Slice(content, start ?? 0, end ?? 0);
    const refused: Lost = isUploaded ? [] : [{ kind: 'upload', count: pasted.pictures.length }];
    lost.value = [...pasted.lost, ...refused];
    const { from, to } = view.state.selection;
    // An empty paragraph is replaced as a whole.
    if (!(event instanceof ClipboardEvent && pasteIntoTable(view, event, slice)))
      view.dispatch(tr.replaceRange(from, to, slice).scrollIntoView());
  }
  /** @returns whether there was something that the editor does not take by itself */
  function take(view: EditorView, event: Event, data: DataTransfer | null): boolean {
    lost.value = [];
    const html = data?.getData('text/html') ?? '';
    const files = picturesOf(data);
    if (isOwn(html) || view.state.selection.$from.parent.type.spec.code) return false;
    const pasted = html === '' ? undefined : clean(html);
    // A single picture comes as a file too.
    if (files.length > 0 && !hasText(pasted?.html ?? '')) place(view, files);
    else if (pasted) insert(view, event, pasted);
    else return false;
    return true;
  }

  const props: EditorProps = {
    // The browser's parser reports styles to the policy of the page.
    transformPastedHTML: (html) =>
      isOwn(html) ? html.replaceAll(' style="', ' data-pm-style="') : clean(html).html,
    handlePaste: (view, event) => take(view, event, event.clipboardData),
    handleDrop: (view, event, _slice, isMoved) =>
      !isMoved && isPlaced(view, event) && take(view, event, event.dataTransfer),
  };
  return { lost, props };
}
