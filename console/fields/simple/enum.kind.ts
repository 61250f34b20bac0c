import { h } from 'vue';
import type { LocalisedText } from '#shared/schema/component.ts';
import { type FieldKind, plain } from '../kind.ts';
import ChoiceInput from './choice-input.vue';
import StateText from './state-text.vue';

/** With its dot, in the wider language. */
const widthOf = ({ label }: { label: LocalisedText }): number => 56 + 8 * label.en.length;

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
  read: ({ options }, text) =>
    options?.find(({ value, label }) => [String(value), label.zh_CN, label.en].includes(text))?.value,
  column: { width: ({ options = [] }) => Math.min(Math.max(112, ...options.map(widthOf)), 176) },
  filter: {
    ...plain.filter,
    read: ({ options }, text) => options?.find(({ value }) => String(value) === text)?.value,
  },
  choices: ({ options = [] }) => options,
};

export default kind;
