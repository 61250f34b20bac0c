import type { FieldKind } from '../kind.ts';
import { textual } from '../text/textual.ts';
import ColourInput from './colour-input.vue';

/** A colour as `#2f5fd7`. */
const kind: FieldKind = { ...textual, input: () => ColourInput, column: { width: () => 96 } };

export default kind;
