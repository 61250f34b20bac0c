import { type FieldKind, plain } from '../kind.ts';
import DateInput from './date-input.vue';

/** A day of the calendar. */
const kind: FieldKind = { ...plain, input: () => DateInput, column: { width: () => 112, isName: true } };

export default kind;
