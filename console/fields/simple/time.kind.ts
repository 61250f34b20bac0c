import { h } from 'vue';
import { formatTime } from '../format.ts';
import { type FieldKind, plain } from '../kind.ts';
import TimeInput from './time-input.vue';
import TimeText from './time-text.vue';

/** A moment, in the operator's zone. */
const kind: FieldKind = {
  ...plain,
  input: () => TimeInput,
  display: ({ value, isWhole }) => h(TimeText, { value: String(value), withSeconds: isWhole }),
  text: (_field, value, { isExact, timeZone }) => formatTime(String(value), isExact, timeZone),
  read(_field, text) {
    const time = new Date(/^\d{4}-\d\d-\d\d[ T]\d/.test(text) ? text.replace(' ', 'T') : text);
    return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
  },
  column: { width: () => 152, isName: true },
  filter: { ...plain.filter, isWide: true },
};

export default kind;
