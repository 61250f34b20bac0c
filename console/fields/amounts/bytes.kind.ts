import { formatBytes } from '../format.ts';
import type { FieldKind } from '../kind.ts';
import integer from '../simple/integer.kind.ts';
import BytesInput from './bytes-input.vue';

/** A size: typed in MB, read with a unit. */
const kind: FieldKind = {
  ...integer,
  input: () => BytesInput,
  text: (_field, value, { isExact }) => (isExact ? String(value) : formatBytes(Number(value))),
};

export default kind;
