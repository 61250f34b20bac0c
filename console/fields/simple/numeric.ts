import { checkLimits, type FieldKind, plain } from '../kind.ts';
import NumberInput from './number-input.vue';

/** A number. */
export const numeric = {
  ...plain,
  input: () => NumberInput,
  model: {
    ...plain.model,
    findProblem: (field, value) =>
      typeof value === 'number' ? checkLimits(field, value, 'rule.min', 'rule.max') : undefined,
  },
  column: { width: () => 96, isNumeric: true },
  filter: {
    ...plain.filter,
    read(_field, text) {
      const value = Number(text);
      return Number.isFinite(value) ? value : undefined;
    },
    isTyped: true,
  },
} satisfies FieldKind;
