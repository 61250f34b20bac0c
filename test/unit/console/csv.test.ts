import { expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { byteOrderMark, toCsvCell, toCsvLine } from '#console/kit/sheets/csv.ts';
import { anyString } from '../../support/any-string.ts';

const plainNumber = /^[+-]?\d+(\.\d+)?$/;
const cells = fc.array(
  fc.oneof(anyString(), fc.string({ unit: fc.constantFrom(...'",\r\n\t =+-@＝;\'1a中') })),
  { minLength: 1 },
);

test('a reader gets every cell back, formulas with an apostrophe before them', () => {
  fc.assert(
    fc.property(fc.array(cells, { minLength: 1 }), (lines) => {
      const read: string[][] = parse(byteOrderMark + lines.map(toCsvLine).join(''), {
        bom: true,
        relax_column_count: true,
        record_delimiter: '\r\n',
      });
      const expected = lines.map((line) => line.map((cell) => (isFormula(cell) ? `'${cell}` : cell)));
      expect(read).toEqual(expected);
    }),
  );
});

test('no cell begins as a formula, unless it is a plain number', () => {
  fc.assert(
    fc.property(anyString(), (text) => {
      const [value = ''] =
        parse(`${toCsvCell(text)}\r\n`, { record_delimiter: '\r\n', skip_empty_lines: false })[0] ?? [];
      expect(isFormula(value)).toBe(false);
    }),
  );
});

const isFormula = (text: string) => /^[=+\-@\t\r\n＝＋－＠]/.test(text) && !plainNumber.test(text);

test.each([
  ['=1+1', "'=1+1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['-2+3', "'-2+3"],
  ['＝1+1', "'＝1+1"],
  ['＋1', "'＋1"],
  ['－1', "'－1"],
  ['＠SUM(A1)', "'＠SUM(A1)"],
  ['\tx', '"\'\tx"'],
  ['\nx', '"\'\nx"'],
  ['\rx', '"\'\rx"'],
  ['-5', '-5'],
  ['+86', '+86'],
  ['-1.25', '-1.25'],
  ['-', "'-"],
  ['a"b', '"a""b"'],
  ['a,b', '"a,b"'],
  ['a;b', '"a;b"'],
  ['', ''],
])('writes %j as %j', (text, cell) => {
  expect(toCsvCell(text)).toBe(cell);
});
