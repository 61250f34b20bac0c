import { h } from 'vue';
import type { FieldKind } from '../kind.ts';
import { json } from './json.ts';
import JsonText from './json-text.vue';

/** A value that the schema does not describe. */
const kind: FieldKind = {
  ...json,
  display: ({ value, isWhole }) =>
    isWhole && typeof value === 'object' ? h(JsonText, { value }) : undefined,
};

export default kind;
