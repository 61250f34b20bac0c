import { type Change, type FieldChange, type Note, type Plan, verbOf } from './changes.ts';

const signs = { add: '+', change: '~', remove: '-' } as const;

/** A plan for people: what changes, field by field, and what stays as it is, with the reason. */
export function renderPlan({ changes, left, faults }: Plan): string {
  const verbs = changes.map(verbOf);
  const count = (verb: keyof typeof signs) => verbs.filter((each) => each === verb).length;
  return [
    ...changes.flatMap(renderChange),
    ...renderLeft(left),
    ...faults.map(({ record, reason }) => `! ${toLine(record)}  refused: ${toLine(reason)}`),
    `${count('add')} to add, ${count('change')} to change, ${count('remove')} to remove, ${left.length} left`,
  ].join('\n');
}

export const renderLeft = (left: readonly Note[]): string[] =>
  left.map(({ record, reason }) => `= ${toLine(record)}  left: ${toLine(reason)}`);

function renderChange(change: Change): string[] {
  const verb = verbOf(change);
  return [
    `${signs[verb]} ${toLine(change.record)}`,
    ...change.fields.map((field) => `    ${field.name}: ${renderField(field)}`),
  ];
}

/** For a list that changes, what comes and goes. */
function renderField({ old, now }: FieldChange): string {
  if (Array.isArray(old) && Array.isArray(now)) {
    const added = now.filter((each) => !old.includes(each)).map((each) => `+${show(each)}`);
    const removed = old.filter((each) => !now.includes(each)).map((each) => `-${show(each)}`);
    return [...removed, ...added].join(' ');
  }
  return [old, now].flatMap((value) => (value === undefined ? [] : [show(value)])).join(' → ');
}

const show = (value: unknown): string => toLine(JSON.stringify(value));

/** Escapes characters that would move the cursor or turn the direction of the text. */
export const toLine = (text: string): string =>
  text.replace(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
