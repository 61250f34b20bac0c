import type { FieldKind } from '../kind.ts';
import { numeric } from './numeric.ts';

/** A whole number. */
export const integer = {
  ...numeric,
  model: {
    ...numeric.model,
    findProblem: (field, value) =>
      Number.isInteger(value) ? numeric.model.findProblem(field, value) : { key: 'rule.integer' },
  },
} satisfies FieldKind;
