import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  findCellProblem,
  findMissing,
  matchColumns,
  readLines,
  setColumn,
} from '#console/pages/import/read-lines.ts';
import {
  addLines,
  beginProgress,
  checkLines,
  findRepeated,
  type ImportRun,
  keyOf,
} from '#console/pages/import/run-import.ts';
import type { Field } from '#functions/console/description.ts';

const field = (name: string, zh_CN: string, en: string, more: Partial<Field> = {}): Field => ({
  name,
  label: { zh_CN, en },
  type: 'text',
  required: true,
  nullable: false,
  ...more,
});
const fields = [
  field('name', '名称', 'Name'),
  field('price', '价格', 'Price', { type: 'money', currency: 'CNY' }),
  field('kind', '类型', 'Kind', { type: 'dictionary', dictionary: 'kind', required: false }),
  field('sold', '已售', 'Sold', { type: 'boolean', required: false }),
];
const context = {
  localise: ({ en }: { en: string }) => en,
  yes: 'Yes',
  no: 'No',
  nameOf: () => undefined,
  valueNamed: (_dictionary: string, text: string) => (text === '甲' ? 'a' : undefined),
  referenceName: () => undefined,
};

describe('lines of a file', () => {
  test('are read by name or label, as an export writes them', () => {
    const columns = matchColumns(['名称', 'PRICE', 'kind', '已售', 'other'], fields);
    const rows = [
      ["'=1", '1,999.5', '甲', '是', 'x'],
      ['', '', '', '', ''],
      ['Lamp', 'cheap', 'b', 'No', ''],
    ];

    expect(columns.map((each) => each?.name)).toEqual(['name', 'price', 'kind', 'sold', undefined]);
    expect(findMissing(columns, fields)).toEqual([]);
    expect(readLines(rows, columns, context)).toEqual([
      { number: 2, values: { name: '=1', price: 199950, kind: 'a', sold: true } },
      { number: 4, values: { name: 'Lamp', price: 'cheap', kind: 'b', sold: false } },
    ]);
  });

  test('need a column for each field that every record has', () => {
    expect(findMissing(matchColumns(['Name'], fields), fields).map(({ name }) => name)).toEqual(['price']);
  });

  test('fill the fields that an operator chooses, each from one column', () => {
    const [name, price] = fields;
    const matched = matchColumns(['Was', 'Name', 'Name'], fields);
    const changed = setColumn(setColumn(matched, 0, price), 2, name);

    expect(matched.map((each) => each?.name)).toEqual([undefined, 'name', undefined]);
    expect(changed.map((each) => each?.name)).toEqual(['price', undefined, 'name']);
    expect(setColumn(changed, 0, undefined).map((each) => each?.name)).toEqual([
      undefined,
      undefined,
      'name',
    ]);
    expect(readLines([['5', 'x', 'Lamp']], changed, context)).toEqual([
      { number: 2, values: { price: 500, name: 'Lamp' } },
    ]);
  });

  test('say in the words of a form what a field takes', () => {
    const [name, price, , sold] = fields;
    const find = (field = name, value: unknown) => field && findCellProblem(field, value)?.key;

    expect(find(price, 'cheap')).toBe('rule.unread');
    expect(find(sold, 'perhaps')).toBe('rule.unread');
    expect(find(name, undefined)).toBe('rule.required');
    expect(find(sold, undefined)).toBeUndefined();
    expect(find(price, 100)).toBeUndefined();
    expect(find(name, 'taken')).toBeUndefined();
  });

  test('have one key, of what will be added', async () => {
    const line = { number: 2, values: { name: 'Lamp' } };

    expect(await keyOf([line])).toMatch(/^[0-9a-f]{64}$/);
    expect(await keyOf([line])).toBe(await keyOf([{ ...line }]));
    expect(await keyOf([line])).not.toBe(await keyOf([{ ...line, values: { name: 'Lamps' } }]));
    expect(await keyOf([line])).not.toBe(await keyOf([{ ...line, number: 3 }]));
  });
});

describe('texts that no two records may share', () => {
  const unique = [field('sku', '编号', 'SKU', { isUnique: true }), field('name', '名称', 'Name')];
  const toLines = (skus: readonly (string | undefined)[]) =>
    skus.map((sku, at) => ({ number: at + 2, values: { name: 'same', ...(sku !== undefined && { sku }) } }));

  test('are faults of all lines after the first, in any case and width', () => {
    const lines = toLines(['a-1', 'b', 'A-1', undefined, 'ａ-1', undefined]);

    expect(findRepeated(lines, unique, (first) => `as ${first}`)).toEqual([
      { line: 4, field: 'sku', message: 'as 2' },
      { line: 6, field: 'sku', message: 'as 2' },
    ]);
  });

  test('leave each text once when their lines are taken out', () =>
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'A', 'b', 'ｂ', 'c', undefined)), (skus) => {
        const wrong = new Set(findRepeated(toLines(skus), unique, String).map(({ line }) => line));
        const left = toLines(skus).flatMap(({ number, values: { sku } }) =>
          sku && !wrong.has(number) ? [sku] : [],
        );
        const all = new Set(skus.flatMap((sku) => (sku ? [sku.normalize('NFKC').toLowerCase()] : [])));

        expect(left.map((sku) => sku.normalize('NFKC').toLowerCase()).toSorted()).toEqual(
          [...all].toSorted(),
        );
      }),
    ));
});

/** A service that keeps lines by file and number, and fails at some requests. */
function createService(failsAt: ReadonlySet<number>) {
  const stored = new Map<string, unknown>();
  let requests = 0;
  const send: ImportRun['send'] = async ({ key, check, lines }) => {
    requests += 1;
    const isCut = failsAt.has(requests);
    const wrong = lines.flatMap(({ values: { name } }, at) =>
      name === 'wrong' ? [{ path: `body.lines.${at}.values.name`, message: 'no' }] : [],
    );
    if (wrong.length > 0) throw Object.assign(new Error('422'), { errors: wrong });
    // A cut request may have written a part.
    const written = check ? [] : isCut ? lines.slice(0, lines.length / 2) : lines;
    const before = stored.size;
    for (const { line, values } of written) stored.set(`${key} ${line}`, values);
    if (isCut) throw new Error('cut');
    const added = stored.size - before;
    return { added, present: written.length - added };
  };
  return { stored, send };
}

const createRun = (count: number, send: ImportRun['send'], isWrong = (_at: number) => false) => {
  const lines = Array.from({ length: count }, (_none, at) => ({
    number: at + 2,
    values: { name: isWrong(at) ? 'wrong' : `line ${at}` },
  }));
  const run: ImportRun = { key: 'file', lines, send, isStopped: () => false, onProgress: () => {} };
  return run;
};

describe('an import', () => {
  test('names each faulty line of the whole file before it writes', async () => {
    const { send, stored } = createService(new Set());
    const run = createRun(350, send, (at) => at % 100 === 7);

    expect((await checkLines(run)).map(({ line, field: name }) => [line, name])).toEqual([
      [9, 'name'],
      [109, 'name'],
      [209, 'name'],
      [309, 'name'],
    ]);
    expect(stored.size).toBe(0);
  });

  test('has each line once, however often it was cut', () =>
    fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 700 }), fc.uniqueArray(fc.nat(20)), async (count, cuts) => {
        const { send, stored } = createService(new Set(cuts));
        const run = createRun(count, send);
        let progress = beginProgress();
        for (let tries = 0; tries <= cuts.length && progress.done < count; tries += 1) {
          // By "Go on", or by taking the same file again.
          if (tries % 2 === 1) progress = beginProgress();
          await addLines(run, progress).catch(() => {});
        }

        expect(progress.done).toBe(count);
        expect(progress.added + progress.present).toBe(count);
        expect([...stored.values()]).toHaveLength(count);
      }),
      { numRuns: 50 },
    ));
});
