import type { FieldKind } from '../kind.ts';
import LinesInput from '../nested/lines-input.vue';
import { textual } from './textual.ts';

/** One line. */
const kind: FieldKind = {
  ...textual,
  listInput: LinesInput,
  column: { ...textual.column, isCut: true, isName: true },
  filter: { ...textual.filter, isTyped: true },
};

export default kind;
