import type { FieldKind } from '../kind.ts';
import { numeric } from './numeric.ts';

/** A whole number. */
const kind = {
  ...numeric,
  model: {
    ...numeric.model,
    findProblem: (field, value) =>
      Number.isInteger(value) ? numeric.model.findProblem(field, value) : { key: 'rule.integer' },
  },
} satisfies FieldKind;

export default kind;
