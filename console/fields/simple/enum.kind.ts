import { h } from 'vue';
import { type FieldKind, plain } from '../kind.ts';
import ChoiceInput from './choice-input.vue';
import StateText from './state-text.vue';

/** One of the values that the schema names. */
const kind: FieldKind = {
  ...plain,
  input: () => ChoiceInput,
  listInput: ChoiceInput,
  display: ({ value, text }) => h(StateText, { value, text }),
  text({ options }, value, { localise }) {
    const option = options?.find((each) => each.value === value);
    return option ? localise(option.label) : String(value);
  },
  column: { width: () => 112 },
  filter: {
    ...plain.filter,
    read: ({ options }, text) => options?.find(({ value }) => String(value) === text)?.value,
  },
  choices: ({ options = [] }) => options,
};

export default kind;
