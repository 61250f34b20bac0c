import { h } from 'vue';
import type { FieldKind } from '../kind.ts';
import LinesInput from '../nested/lines-input.vue';
import IdText from './id-text.vue';
import { textual } from './textual.ts';

/** Names a record: short in a table, with a button that copies it. */
const kind: FieldKind = {
  ...textual,
  listInput: LinesInput,
  display: ({ value, isWhole }) => h(IdText, { value: String(value), isWhole }),
  column: { width: () => 152 },
  isKey: true,
};

export default kind;
