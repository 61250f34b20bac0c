import { h } from 'vue';
import type { FieldKind } from '../kind.ts';
import MediaInput from './media-input.vue';
import MediaThumb from './media-thumb.vue';
import { textual } from './textual.ts';

/** The URL of a picture, a video or another file. */
const kind: FieldKind = {
  ...textual,
  input: () => MediaInput,
  display: ({ field, value }) => h(MediaThumb, { url: String(value), kind: field.media }),
  column: { width: () => 96 },
};

export default kind;
