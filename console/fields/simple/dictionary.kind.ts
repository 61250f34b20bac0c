import { type FieldKind, plain } from '../kind.ts';
import ChoiceInput from './choice-input.vue';

/** A value of a dictionary, which operators edit. */
const kind: FieldKind = {
  ...plain,
  input: () => ChoiceInput,
  listInput: ChoiceInput,
  text: ({ dictionary: typeKey = '' }, value, { nameOf }) => nameOf(typeKey, String(value)) ?? String(value),
  read: ({ dictionary: typeKey = '' }, text, { valueNamed }) => valueNamed?.(typeKey, text) ?? text,
  column: { width: () => 112, isCut: true, isName: true },
};

export default kind;
