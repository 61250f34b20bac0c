import type { FieldKind } from '../kind.ts';
import integer from '../simple/integer.kind.ts';
import { formatAmount, readAmount, writeAmount } from './amount-text.ts';
import MoneyInput from './money-input.vue';

/** An amount of money: typed and read in its currency. */
const kind: FieldKind = {
  ...integer,
  input: () => MoneyInput,
  text: ({ currency = '' }, value, { isExact }) =>
    (isExact ? writeAmount : formatAmount)(Number(value), currency),
  read: ({ currency = '' }, text) => readAmount(text.replaceAll(',', ''), currency),
  column: { width: () => 120, isNumeric: true },
};

export default kind;
