import { h } from 'vue';
import type { Option } from '#functions/console/description.ts';
import { type FieldKind, plain } from '../kind.ts';
import StateText from './state-text.vue';
import SwitchInput from './switch-input.vue';

const choices: readonly Option[] = [
  { value: true, label: { zh_CN: '是', en: 'Yes' } },
  { value: false, label: { zh_CN: '否', en: 'No' } },
];
/** As a query spells them. */
const options = choices.map(({ value, label }) => ({ value: String(value), label }));

/** Yes or no. */
const kind: FieldKind = {
  ...plain,
  input: () => SwitchInput,
  display: ({ value, text }) => h(StateText, { value, text }),
  text: (_field, value, { yes, no }) => (value === true ? yes : no),
  read(_field, text) {
    const isYes = ['1', 'true', '是', 'yes'].includes(text.toLowerCase());
    return isYes || (['0', 'false', '否', 'no'].includes(text.toLowerCase()) ? false : undefined);
  },
  model: {
    ...plain.model,
    begin: ({ required, nullable }, value) => value ?? (required && !nullable ? false : undefined),
    refusesEmpty: () => false,
  },
  column: { width: () => 96 },
  filter: {
    shown: (field) => ({ ...plain.filter.shown(field), type: 'enum', options }),
    read: (_field, text) => ['1', 'true'].includes(text),
  },
  choices: () => choices,
};

export default kind;
