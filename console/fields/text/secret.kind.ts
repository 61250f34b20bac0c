import type { FieldKind } from '../kind.ts';
import { createTextInput, textual } from './textual.ts';

const input = createTextInput({ type: 'password', showPassword: true, autocomplete: 'new-password' });

/** A text that is not shown while it is typed. */
const kind: FieldKind = {
  ...textual,
  input: () => input,
  column: { ...textual.column, isRare: () => true },
};

export default kind;
