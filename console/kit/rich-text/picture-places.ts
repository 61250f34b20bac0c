import { type Editor, Node } from '@tiptap/core';
import { type Node as DocumentNode, Fragment, type Schema } from '@tiptap/pm/model';
import { watch } from 'vue';
import { localise, t } from '../../base/locale.ts';
import { describeProblem, uploadTexts } from '../uploads/texts.ts';
import { accepts } from '../uploads/upload-state.ts';
import { queue, type Upload, uploadFiles, uploads } from '../uploads/uploads.ts';
import { pendingPictures } from './pending.ts';
import { addSizes } from './picture-sizes.ts';

/** The place of a picture while it is uploaded. It is not saved; see `document/write-html.ts`. */
export const PicturePlace = Node.create({
  name: 'picturePlace',
  group: 'inline',
  inline: true,
  atom: true,
  addAttributes: () => ({
    upload: { default: 0, rendered: false },
    name: { default: '', rendered: false },
    alt: { default: '', rendered: false },
  }),
  renderHTML: () => ['span', { 'data-pm-place': '' }],
  addNodeView:
    () =>
    ({ node, editor, getPos }) => {
      const dom = document.createElement('span');
      dom.className = 'picture-place';
      dom.contentEditable = 'false';
      pendingPictures.value += 1;
      const find = () => uploads.value.find(({ id }) => id === node.attrs.upload);
      const stop = watch(
        find,
        (upload) => {
          if (upload?.outcome)
            queueMicrotask(() => replace(editor, getPos(), node, upload.outcome?.url ?? ''));
          draw(dom, String(node.attrs.name), upload, () => remove(editor, getPos()));
        },
        { immediate: true },
      );
      return {
        dom,
        ignoreMutation: () => true,
        stopEvent: (event) => event.target instanceof HTMLButtonElement,
        destroy() {
          stop();
          pendingPictures.value -= 1;
        },
      };
    },
});

function replace(editor: Editor, position: number | undefined, place: DocumentNode, src: string): void {
  if (position === undefined || editor.isDestroyed) return;
  if (editor.state.doc.nodeAt(position)?.attrs.upload !== place.attrs.upload) return;
  const alt = place.attrs.alt ? { alt: place.attrs.alt } : {};
  const picture = editor.schema.nodes.image?.create({ src, ...alt });
  if (!picture) return;
  const { tr } = editor.state;
  // Going back takes out the picture, not its upload.
  editor.view.dispatch(tr.replaceWith(position, position + 1, picture).setMeta('addToHistory', false));
  void addSizes(editor, src);
}

function remove(editor: Editor, position: number | undefined): void {
  if (position !== undefined) editor.view.dispatch(editor.state.tr.delete(position, position + 1));
  editor.view.focus();
}

function draw(dom: HTMLElement, name: string, upload: Upload | undefined, onRemove: () => void): void {
  const { phase, sentBytes, problem } = upload?.state ?? {
    phase: 'failed',
    sentBytes: 0,
    problem: undefined,
  };
  const percent = upload && upload.sizeBytes > 0 ? Math.floor((sentBytes / upload.sizeBytes) * 100) : 0;
  const isFailed = phase === 'failed';
  const detail = problem ? describeProblem(problem) : `${percent} %`;
  const text = `${name} · ${localise(uploadTexts.phases[phase])} · ${detail}`;
  dom.classList.toggle('failed', isFailed);
  const label = document.createElement('span');
  label.role = isFailed ? 'alert' : 'status';
  label.textContent = text;
  const buttons = [
    ...(upload && isFailed && accepts(upload.state, 'retry')
      ? [createButton(localise(uploadTexts.retry), name, () => queue.retry(upload.id))]
      : []),
    ...(isFailed ? [createButton(t('rich_text.remove_place'), name, onRemove)] : []),
  ];
  dom.replaceChildren(label, ...buttons);
}

function createButton(text: string, name: string, onClick: () => void): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = text;
  button.setAttribute('aria-label', `${text}: ${name}`);
  button.addEventListener('click', onClick);
  return button;
}

/** Starts to upload pictures. @returns their places */
export function createPlaces(schema: Schema, files: readonly File[], alt = ''): DocumentNode[] {
  return uploadFiles(files, 'image').flatMap((upload, index) => {
    const name = files[index]?.name ?? '';
    return schema.nodes.picturePlace?.create({ upload, name, alt }) ?? [];
  });
}

/** Uploads the pictures of a content that come with their bytes. */
export function uploadEmbedded(schema: Schema, content: Fragment, count = { pictures: 0 }): Fragment {
  const nodes: DocumentNode[] = [];
  content.forEach((node) => {
    const file = node.type.name === 'image' ? readFile(String(node.attrs.src), count) : undefined;
    if (file) nodes.push(...createPlaces(schema, [file], String(node.attrs.alt ?? '')));
    else nodes.push(node.isText ? node : node.copy(uploadEmbedded(schema, node.content, count)));
  });
  return Fragment.from(nodes);
}

function readFile(source: string, count: { pictures: number }): File | undefined {
  const [, type = '', ending = '', data = ''] = /^data:(image\/(\w+));base64,(.*)$/i.exec(source) ?? [];
  if (data === '') return undefined;
  count.pictures += 1;
  const bytes = Uint8Array.from(atob(data.replace(/\s/g, '')), (sign) => sign.charCodeAt(0));
  return new File([bytes], `picture-${count.pictures}.${ending.toLowerCase()}`, { type });
}
