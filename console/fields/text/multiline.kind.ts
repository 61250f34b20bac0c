import type { FieldKind } from '../kind.ts';
import { nameFields } from '../record-name.ts';
import { createTextInput, textual } from './textual.ts';

const input = createTextInput({ type: 'textarea', autosize: { minRows: 3, maxRows: 12 } });

/** A text of several lines. */
const kind: FieldKind = {
  ...textual,
  input: () => input,
  column: { width: ({ name }) => (nameFields.includes(name) ? 208 : 200), isCut: true },
};

export default kind;
