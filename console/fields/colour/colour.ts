import type { FieldKind } from '../kind.ts';
import { textual } from '../text/textual.ts';
import ColourInput from './colour-input.vue';

/** A colour as `#2f5fd7`. */
export const colour: FieldKind = { ...textual, input: () => ColourInput, column: { width: () => 96 } };
