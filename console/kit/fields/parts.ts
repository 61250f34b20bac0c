import { type Component, defineAsyncComponent } from 'vue';

// Heavy inputs that exist as files of the kit are loaded when a form shows them; a build without the file works too.

const editors = import.meta.glob<{ default: Component }>('../rich-text-editor.vue');
const pickers = import.meta.glob<{ default: Component }>('../media-picker.vue');

const load = (found: Record<string, () => Promise<{ default: Component }>>): Component | undefined =>
  Object.values(found).map((loader) => defineAsyncComponent(loader))[0];

/** Edits rich text: `v-model` holds HTML, `label` names it. */
export const richTextEditor = load(editors);
/** Chooses a file in a dialog: `v-model` opens it, `type` limits it, `pick` gives the file's URL. */
export const mediaPicker = load(pickers);
