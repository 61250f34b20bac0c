import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { root } from '#cli/project.ts';
import { toCsvFile, toCsvLine, toPlainCsv } from '#console/kit/sheets/csv.ts';
import { FileProblem, readSheet, readSource } from '#console/kit/sheets/read-sheet.ts';
import { readWorkbook, writeWorkbook } from '#console/kit/sheets/workbook.ts';

const limits = { largestBytes: 1_000_000, mostRows: 1000 };
const toFile = (...parts: ConstructorParameters<typeof File>[0]): File => new File(parts, 'rows');
const sample = (name: string) => readFileSync(join(root, 'test', 'fixtures', 'sheets', `${name}.xlsx`));

// Written by the programs that they are named after: two sheets, of which the first has each type of cell.
describe('a workbook of another program', () => {
  test.each(['openpyxl', 'libreoffice', 'exceljs'])('%s is read as it is shown', async (name) => {
    const [header, ...rows] = await readSheet(toFile(sample(name)), limits);

    // The first program writes formulas without their results.
    const sums = name === 'openpyxl' ? ['', ''] : ['2', '3'];
    expect(header).toEqual(['名称', 'Price', 'On', 'Seen', 'Sold', 'Code', 'Sum']);
    expect(rows).toEqual([
      ['台灯 💡', '0.3', '2026-03-29', '2026-03-29 13:05:01', 'true', '0012', sums[0]],
      ['', '', '', '', '', '', ''],
      ["'=x", '1999', '1999-12-31', '2026-10-25 02:30:00', 'false', '13800138000', sums[1]],
      ['two\nlines', '-3.5', '', '', '', 'a,b;c"d', ''],
    ]);
  });

  test('is read to its most rows', async () => {
    expect(await readWorkbook(sample('exceljs'), 2)).toHaveLength(2);
  });
});

const texts = fc.string({ unit: 'grapheme', maxLength: 40 });
const cells = fc.oneof(
  texts,
  fc.constantFrom(
    '=1+1',
    '+49',
    '-',
    '@x',
    '0012',
    '12345678901234567890',
    'true',
    '2026-03-29',
    ' a ',
    'a\nb',
    '_x0041_',
    '_X005f_',
    'a\u0000\rb',
  ),
  fc.integer(),
  fc.double({ noNaN: true, min: -1e300, max: 1e300 }).map((value) => Number(value.toPrecision(15))),
);

test('a workbook holds every cell that is written to it', () =>
  fc.assert(
    fc.asyncProperty(
      texts,
      fc
        .integer({ min: 1, max: 5 })
        .chain((width) =>
          fc.array(fc.array(cells, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 6 }),
        ),
      async (name, rows) => {
        const blob = await writeWorkbook(name, rows);
        const read = await readWorkbook(new Uint8Array(await blob.arrayBuffer()), 1000);

        // Empty rows at the end are not read.
        const padded = rows.map((_row, at) => read[at] ?? rows[0]?.map(() => ''));
        expect(padded).toEqual(rows.map((row) => row.map((cell) => String(cell === 0 ? 0 : cell))));
      },
    ),
    { numRuns: 50 },
  ));

describe('a file', () => {
  test('is read the same as CSV and as a workbook', async () => {
    const rows = [
      ['Name', 'Text'],
      ['a;b', 'say "x"'],
      ['', ''],
      ['中', 'two\nlines'],
    ];
    const csv = await readSheet(new File([toCsvFile(rows.map(toCsvLine))], 'a.csv'), limits);
    const workbook = await readSheet(new File([await writeWorkbook('a', rows)], 'a.xlsx'), limits);

    expect(csv).toEqual(rows);
    expect(workbook).toEqual(rows);
    expect(
      await readSheet(
        toFile(
          toPlainCsv([
            ['=1', 'a,"b'],
            ['x', ''],
          ]),
        ),
        limits,
      ),
    ).toEqual([
      ['=1', 'a,"b'],
      ['x', ''],
    ]);
  });

  test.each([
    ['is too large', [new Uint8Array(limits.largestBytes + 1)], /larger than/],
    ['is of an older kind', [new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1])], /older kind/],
    ['is a damaged workbook', [sample('exceljs').subarray(0, 3000)], /cannot be read/],
    ['is another archive', [new Uint8Array([0x50, 0x4b, 3, 4, ...Buffer.from('hello')])], /cannot be read/],
    ['has more rows than are taken', [sample('exceljs')], /has more than .* rows/, 4],
    ['is no text', [new Uint8Array([0xff, 0xff, 0xff, 0xff])], /neither/],
  ])('says that it %s', async (_what, parts, message, mostRows = limits.mostRows) => {
    const reading = readSource(toFile(...parts), { ...limits, mostRows });

    await expect(reading).rejects.toThrow(FileProblem);
    await expect(reading).rejects.toThrow(message);
  });

  test('says why it is no CSV', async () => {
    await expect(readSheet(toFile('a,b\n"never closed'), limits)).rejects.toThrow(/is not CSV/);
  });
});
