import { Editor, type Extensions } from '@tiptap/core';
import type { EditorProps } from '@tiptap/pm/view';
import { onBeforeUnmount, type ShallowRef, shallowRef, triggerRef } from 'vue';
import { documentExtensions } from './document/extensions.ts';
import { readHtml } from './document/read-html.ts';
import { writeHtml } from './document/write-html.ts';

interface EditorOptions {
  label: string;
  /** Called with the HTML after the operator has changed it, not for `show`. */
  onUpdate(html: string): void;
  extensions?: Extensions;
  props?: EditorProps;
}

/** The editor in an element. `editor` is triggered after each change, so that buttons show what is active. */
export function useEditor({ label, onUpdate, extensions = [], props = {} }: EditorOptions) {
  const editor: ShallowRef<Editor | undefined> = shallowRef();

  function show(element: HTMLElement, html: string): void {
    const content = readHtml(html);
    if (editor.value) return void editor.value.commands.setContent(content, { emitUpdate: false });
    editor.value = new Editor({
      element,
      content,
      // The policy allows no style element; the styles are in the component.
      injectCSS: false,
      extensions: [...documentExtensions, ...extensions],
      editorProps: {
        ...props,
        attributes: { role: 'textbox', 'aria-multiline': 'true', 'aria-label': label },
      },
      onUpdate: ({ editor: changed }) =>
        onUpdate(changed.isEmpty ? '' : writeHtml(changed.state.doc.toJSON())),
      onTransaction: () => triggerRef(editor),
    });
  }
  onBeforeUnmount(() => editor.value?.destroy());
  return { editor, show };
}
