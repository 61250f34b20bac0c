import { type Component, type FunctionalComponent, h } from 'vue';
import { type FieldKind, matches, plain } from '../kind.ts';
import { nameFields } from '../record-name.ts';
import TextInput from './text-input.vue';

/** A text of any content: an empty input is an empty text. */
export const textual = {
  ...plain,
  input: () => TextInput,
  model: {
    ...plain.model,
    begin: (_field, value) => value ?? '',
    empty: () => '',
    refusesEmpty: ({ minLength = 0, pattern }) => minLength > 0 || !matches(pattern, ''),
  },
  column: { width: ({ name }) => (nameFields.includes(name) ? 208 : 128) },
  filter: { ...plain.filter, shown: (field) => ({ ...plain.filter.shown(field), type: 'text' }) },
} satisfies FieldKind;

/** The input of a text with other attributes. @param usual the field's own attributes replace them */
export function createTextInput(usual: Record<string, unknown>): FunctionalComponent {
  // Its props are in `attrs`.
  const component: Component = TextInput;
  const input: FunctionalComponent = (_props, { attrs }) => h(component, { ...usual, ...attrs });
  input.inheritAttrs = false;
  return input;
}
