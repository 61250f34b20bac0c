import type { Field } from '#functions/console/description.ts';
import { type FieldKind, type Problem, plain } from '../kind.ts';
import { createTextInput } from '../text/textual.ts';

const input = createTextInput({
  type: 'textarea',
  autosize: { minRows: 3, maxRows: 16 },
  spellcheck: 'false',
});

/** A value of any shape: the input holds JSON text. */
export const json = {
  ...plain,
  input: () => input,
  model: {
    ...plain.model,
    begin: (_field: Field, value: unknown) => (value === undefined ? '' : JSON.stringify(value, null, 2)),
    send: (_field: Field, value: unknown) => JSON.parse(String(value)),
    findProblem: (_field: Field, value: unknown): Problem | undefined =>
      isJsonText(value) ? undefined : { key: 'rule.json' },
  },
  column: { ...plain.column, isRare: () => true },
} satisfies FieldKind;

function isJsonText(value: unknown): boolean {
  try {
    JSON.parse(String(value));
    return true;
  } catch {
    return false;
  }
}
