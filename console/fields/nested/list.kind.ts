import { loadPart } from '../../base/load-part.ts';
import { checkLimits, type FieldKind, plain, sendOf, textOf } from '../kind.ts';
import any from './any.kind.ts';

// It holds fields itself.
const ListInput = loadPart(() => import('./list-input.vue'));

/** Values of one kind. A list whose items the description leaves out, as in a tree, is JSON. */
const kind: FieldKind = {
  ...plain,
  input: (field, kindOf) =>
    field.items ? (kindOf(field.items).listInput ?? ListInput) : any.input(field, kindOf),
  display(shown, kindOf) {
    const { field, value, isWhole } = shown;
    if (!field.items) return any.display?.(shown, kindOf);
    return isWhole && Array.isArray(value)
      ? kindOf(field.items).listDisplay?.(field.items, value)
      : undefined;
  },
  text({ items }, value, context, kindOf) {
    if (!Array.isArray(value)) return '';
    if (!items) return value.length === 0 ? '' : JSON.stringify(value);
    return value.map((each) => textOf(items, each, context, kindOf)).join(kindOf(items).separator ?? ', ');
  },
  read({ items }, text, context, kindOf) {
    const kind = items && kindOf(items);
    if (!items || !kind) return undefined;
    const parts = text
      .split(/[,，;；\n]/)
      .map((part) => part.trim())
      .filter(Boolean);
    return parts.map(
      (part) => kind.read?.(items, part, context, kindOf) ?? kind.filter.read(items, part) ?? part,
    );
  },
  model: {
    begin(field, value, kindOf) {
      const { items } = field;
      if (!items) return any.model.begin(field, value, kindOf);
      return Array.isArray(value) ? value.map((each) => kindOf(items).model.begin(items, each, kindOf)) : [];
    },
    send(field, value, kindOf) {
      const { items } = field;
      if (!items) return any.model.send(field, value, kindOf);
      const values = Array.isArray(value) ? value : [];
      return values.map((each) => sendOf(items, each, kindOf)).filter((each) => each !== undefined);
    },
    empty: ({ items }) => (items ? [] : undefined),
    refusesEmpty: ({ items, min = 0 }) => !items || min > 0,
    findProblem(field, value) {
      if (!field.items) return any.model.findProblem(field, value);
      return Array.isArray(value) ? checkLimits(field, value.length, 'rule.few', 'rule.many') : undefined;
    },
    parts: ({ items }, value) =>
      items && Array.isArray(value)
        ? value.map((each, index) => ({ step: String(index), field: items, value: each }))
        : [],
    member: ({ items }, step) => (/^\d+$/.test(step) ? items : undefined),
  },
  column: { width: () => 128, isCut: true, isRare: ({ items }) => !items },
  filter: { ...plain.filter, read: (_field, text) => text.split(',') },
};

export default kind;
