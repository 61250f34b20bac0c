import { h } from 'vue';
import { type FieldKind, findReferredPath } from '../kind.ts';
import ReferenceInput from './reference-input.vue';
import ReferenceText from './reference-text.vue';

/** What changes in a kind whose fields name records of a page. */
export const toReferenceKind = (kind: FieldKind): FieldKind => ({
  ...kind,
  input: () => ReferenceInput,
  display: ({ field, value }) =>
    h(ReferenceText, { path: findReferredPath(field) ?? '', ids: [value].flat().map(String) }),
  text(field, value, context, kindOf) {
    const name =
      field.refersTo !== undefined && typeof value === 'string'
        ? (context.referenceName(field.refersTo, value) ?? value)
        : undefined;
    return name ?? kind.text(field, value, context, kindOf);
  },
  filter: { ...kind.filter, isTyped: undefined },
});
