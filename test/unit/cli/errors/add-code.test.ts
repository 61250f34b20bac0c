import { describe, expect, test } from '@jest/globals';
import { addCode, addMessage } from '#cli/errors/add-code.ts';

const added = { code: 'shop.sold_out', status: 409, when: 'no piece is left' };
const line = "  'shop.sold_out': 409, // no piece is left\n";
const head = "import { defineErrors } from '#shared/errors/app-error.ts';\n\n";

describe('a new code', () => {
  test.each([
    ['a file that does not exist', undefined, `${head}export default defineErrors({\n${line}});\n`],
    ['an empty list', 'export default defineErrors({});\n', `export default defineErrors({\n${line}});\n`],
    [
      'a list whose last line has a comment',
      "export default defineErrors({\n  'shop.closed': 409, // no order, }\n});\n",
      `export default defineErrors({\n  'shop.closed': 409, // no order, }\n${line}});\n`,
    ],
    [
      'a list without a comma at its end',
      "export default defineErrors({\n  'shop.closed': 409\n});\nexport const a = { b: 1 };\n",
      `export default defineErrors({\n  'shop.closed': 409,\n${line}});\nexport const a = { b: 1 };\n`,
    ],
    [
      'a list on one line',
      "export default defineErrors({ 'shop.closed': 409 });\n",
      `export default defineErrors({ 'shop.closed': 409,\n${line}});\n`,
    ],
  ])('is the last one of %s', (_name, source, expected) => {
    expect(addCode(source, added)).toBe(expected);
  });

  test('has its comment above if the line would be too long', () => {
    const when = 'a reason '.repeat(12).trim();

    expect(addCode(undefined, { ...added, when })).toContain(`{\n  // ${when}\n  'shop.sold_out': 409,\n});`);
  });

  test.each([
    ['no list', 'export default {};'],
    ['a list with a name', 'const codes = {}; export default defineErrors(codes);'],
    ['two lists', 'export const a = defineErrors({}); export default defineErrors({});'],
    ['a list only in a comment', '// defineErrors({})'],
  ])('is refused for a file with %s', (_name, source) => {
    expect(() => addCode(source, added)).toThrow('it has no list of codes');
  });

  test('is refused if a comment stands before the last comma', () => {
    const source = "export default defineErrors({\n  'shop.closed': 409 /* now */,\n});\n";

    expect(() => addCode(source, added)).toThrow(SyntaxError);
  });

  test('is refused for a file that cannot be parsed', () => {
    expect(() => addCode('export default defineErrors({', added)).toThrow(SyntaxError);
  });
});

test('a new message is the last one, and the others stay', () => {
  expect(addMessage('{\n  "a": "A"\n}\n', 'b', 'B "b"')).toBe('{\n  "a": "A",\n  "b": "B \\"b\\""\n}\n');
  expect(addMessage(undefined, 'b', '无')).toBe('{\n  "b": "无"\n}\n');
});
