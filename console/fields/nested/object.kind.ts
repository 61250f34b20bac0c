import { h } from 'vue';
import type { Field } from '#functions/console/description.ts';
import { loadPart } from '../../base/load-part.ts';
import { beginAll, type FieldKind, isEmpty, plain, readMember, sendOf, textOf } from '../kind.ts';
import { nameFields } from '../record-name.ts';

// They hold fields themselves.
const ObjectInput = loadPart(() => import('./object-input.vue'));
const RecordList = loadPart(() => import('./record-list.vue'));

const listDisplay = ({ fields = [] }: Field, records: readonly unknown[]) =>
  h(RecordList, { fields, records });

/** Fields of its own. It is sent as a whole: its optional members are left out if they are empty. */
const kind: FieldKind = {
  ...plain,
  input: () => ObjectInput,
  display: ({ field, value, isWhole }) => (isWhole ? listDisplay(field, [value]) : undefined),
  listDisplay,
  separator: '; ',
  text({ fields = [] }, value, context, kindOf) {
    const parts = fields
      .map((field) => ({ field, text: textOf(field, readMember(value, field.name), context, kindOf) }))
      .filter(({ text }) => text !== '');
    if (context.isExact)
      return parts.map(({ field, text }) => `${context.localise(field.label)}: ${text}`).join(', ');
    const named = parts.filter(({ field }) => !kindOf(field).isKey);
    return (named.length > 0 ? named : parts).map(({ text }) => text).join(' · ');
  },
  model: {
    ...plain.model,
    begin: ({ fields = [] }, value, kindOf) => beginAll(fields, value ?? {}, kindOf),
    send: ({ fields = [] }, value, kindOf) =>
      Object.fromEntries(
        fields.flatMap((field) => {
          const member = readMember(value, field.name);
          if (isEmpty(member) && !field.required) return [];
          const input = sendOf(field, member, kindOf);
          return input === undefined ? [] : [[field.name, input]];
        }),
      ),
    refusesEmpty: () => false,
    parts({ fields = [], required }, value) {
      if (!required && !hasValue(value)) return [];
      return fields
        .map((field) => ({ step: field.name, field, value: readMember(value, field.name) }))
        .filter((part) => part.field.required || !isEmpty(part.value));
    },
    member: ({ fields = [] }, step) => fields.find(({ name }) => name === step),
  },
  column: { width: ({ name }) => (nameFields.includes(name) ? 208 : 200), isCut: true },
};

/** Whether any input of an object has a value. */
const hasValue = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.values(value).some(hasValue)
    : !isEmpty(value) && value !== false;

export default kind;
