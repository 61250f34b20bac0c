import { h } from 'vue';
import type { FieldKind } from '../kind.ts';
import HtmlInput from './html-input.vue';
import RichText from './rich-text.vue';
import { textual } from './textual.ts';

/** Rich text. */
const kind: FieldKind = {
  ...textual,
  input: () => HtmlInput,
  display: ({ value, isWhole }) => (isWhole ? h(RichText, { html: String(value) }) : undefined),
  column: { ...textual.column, isRare: () => true },
};

export default kind;
