import { expect, test } from '@jest/globals';
import { readAnswer } from '../../../bench/inspect-load.ts';

const answer = (data: unknown) => ({ statusCode: 200, body: JSON.stringify({ data }) });

test('answers are the same where only volatile fields differ', () => {
  const [a, b] = [answer({ id: 'a', size: 1 }), answer({ id: 'b', size: 1 })];

  expect(readAnswer(a, ['id'])).toEqual(readAnswer(b, ['id']));
  expect(readAnswer(a, [])).not.toEqual(readAnswer(b, []));
});

test.each([
  ['a volatile field is missing', { size: 1 }],
  ['a volatile field is of another type', { id: null, size: 1 }],
  ['another field differs', { id: 'a', size: 2 }],
])('answers differ where %s', (_where, data) => {
  expect(readAnswer(answer(data), ['id'])).not.toEqual(readAnswer(answer({ id: 'b', size: 1 }), ['id']));
});

test('answers differ by their status', () => {
  expect(readAnswer({ ...answer({}), statusCode: 401 }, [])).not.toEqual(readAnswer(answer({}), []));
});
