import { Editor } from '@tiptap/core';
import Image from '@tiptap/extension-image';
import StarterKit from '@tiptap/starter-kit';
import { onBeforeUnmount, type ShallowRef, shallowRef, triggerRef } from 'vue';

/**
 * The editor in an element. `editor` is triggered after each change, so that buttons show what is active.
 *
 * @param onUpdate called with the HTML after the operator has changed it, not for `show`
 */
export function useEditor(label: string, onUpdate: (html: string) => void) {
  const editor: ShallowRef<Editor | undefined> = shallowRef();

  function mount(element: HTMLElement, html: string): void {
    editor.value = new Editor({
      element,
      content: html,
      // The policy allows no style element; the styles are in the component.
      injectCSS: false,
      extensions: [
        StarterKit.configure({ heading: { levels: [1, 2, 3, 4] }, link: { openOnClick: false } }),
        Image,
      ],
      editorProps: { attributes: { role: 'textbox', 'aria-multiline': 'true', 'aria-label': label } },
      onUpdate: ({ editor: changed }) => onUpdate(changed.isEmpty ? '' : changed.getHTML()),
      onTransaction: () => triggerRef(editor),
    });
  }
  onBeforeUnmount(() => editor.value?.destroy());
  return { editor, mount };
}
