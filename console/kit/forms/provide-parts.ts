import { provide } from 'vue';
import { loadPart } from '../../base/load-part.ts';
import { fieldParts } from '../../fields/parts.ts';

const parts = {
  mediaPicker: loadPart(() => import('../files/media-picker.vue')),
  richTextEditor: loadPart(() => import('../rich-text/rich-text-editor.vue')),
};

/** Gives the inputs below a component what they need to choose files and to edit rich text. */
export const provideParts = (): void => provide(fieldParts, parts);
