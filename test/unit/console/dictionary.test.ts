import { describe, expect, test } from '@jest/globals';
import { parse as parseCsv } from 'csv-parse/sync';
import * as fc from 'fast-check';
import { decodeText } from '#console/kit/sheets/decode-text.ts';
import { ImportError, parseImport } from '#modules/System/Console/dictionary/import/parse-import.ts';
import { planImport } from '#modules/System/Console/dictionary/import/plan-import.ts';
import { runImport } from '#modules/System/Console/dictionary/import/run-import.ts';
import { type Placed, planMove, planOrder, type Sortable } from '#modules/System/Console/dictionary/move.ts';
import { byOrder } from '#shared/dict/order.ts';

const parse = (text: string) => parseImport(text, parseCsv);

describe('an import file', () => {
  test('is CSV with columns in any order, quotes and a byte order mark', () => {
    const lines = parse('\uFEFFname,value,other\r\n"Red, dark",red,x\r\n\r\nBlue,blue,y\r\n');

    expect(lines.map(({ line, item }) => [line, item])).toEqual([
      [2, { value: 'red', name: 'Red, dark' }],
      [4, { value: 'blue', name: 'Blue' }],
    ]);
  });

  test.each([
    ['semicolons', 'value;name;sort\na;A;5'],
    ['tabs', 'value\tname\tsort\na\tA\t5'],
    ['Chinese titles', '值,名称,排序\na,A,5'],
    ['JSON', '[{"value":"a","name":"A","sort":5}]'],
  ])('may have %s', (_, text) => {
    expect(parse(text).map(({ item }) => item)).toEqual([{ value: 'a', name: 'A', sort: 5 }]);
  });

  test.each([
    ['a value that is not ASCII', '红,A,,', ['value']],
    ['no value and no name', ',,,', ['value', 'name']],
    ['a name that is too long', `a,${'n'.repeat(101)},,`, ['name']],
    ['a sort that is no number', 'a,A,first,', ['sort']],
    ['a sort above the limit', 'a,A,1000001,', ['sort']],
    ['an unknown status', 'a,A,1,on', ['status']],
  ])('lists %s', (_, line, faults) => {
    expect(parse(`value,name,sort,status\n${line}`)).toMatchObject([{ line: 2, faults }]);
    expect(parse(`value,name,sort,status\n${line}`)[0]?.item).toBeUndefined();
  });

  test('takes the status in both languages', () => {
    const lines = parse('value,name,status\na,A,停用\nb,B,Enabled');

    expect(lines.map(({ item }) => item?.status)).toEqual(['disabled', 'enabled']);
  });

  test('reports a value that an earlier line has', () => {
    const [first, second] = parse('value,name\na,A\na,B');

    expect(first?.faults).toEqual([]);
    expect(second).toMatchObject({ line: 3, faults: ['duplicate'] });
    expect(second?.item).toBeUndefined();
  });

  test.each([
    ['json', '[{"value":'],
    ['json', '{"value":"a"}'],
    ['header', 'a,b\n1,2'],
    ['csv', 'value,name\na,"B'],
  ])('is refused as %s: %s', (reason, text) => {
    expect(() => parse(text)).toThrow(ImportError);
    expect(() => parse(text)).toThrow(expect.objectContaining({ reason }));
  });

  test('may be GBK', () => {
    expect(decodeText(Uint8Array.of(0xba, 0xec))).toEqual({ text: '红', encoding: 'GBK' });
    expect(decodeText(new TextEncoder().encode('红'))).toEqual({ text: '红', encoding: 'UTF-8' });
    expect(() => decodeText(Uint8Array.of(0xff, 0xff))).toThrow('gbk');
  });
});

describe('a planned import', () => {
  const stored = [
    { value: 'a', name: 'A', sort: 1, status: 'enabled' },
    { value: 'z', name: 'Z', sort: 0, status: 'enabled' },
  ];

  test('says what each line does and what is not listed', () => {
    const plan = planImport(parse('value,name,sort\na,A,\nb,B,1\na,A,9\nz,Y,'), stored);

    expect(plan.counts).toEqual({ total: 4, added: 1, changed: 1, same: 1, faulty: 1 });
    expect(plan.lines.map(({ outcome, index }) => [outcome, index])).toEqual([
      ['same', 0],
      ['added', 1],
      [undefined, -1],
      ['changed', 2],
    ]);
    expect(planImport(parse('value,name\na,A'), stored).missing).toBe(1);
  });
});

describe('a run of an import', () => {
  const items = Array.from({ length: 1200 }, (_, n) => ({ value: `v${n}`, name: 'N' }));
  const start = () => ({ done: 0, added: 0, changed: 0, removed: 0 });
  const job = { items, mode: 'merge', isCancelled: () => false, onProgress: () => {} } as const;

  test('sends parts in order and adds their counts up', async () => {
    const run = start();
    const sent: number[] = [];

    await runImport(
      {
        ...job,
        send: async (part) => {
          sent.push(part.length);
          return { added: part.length, changed: 0, removed: 0 };
        },
      },
      run,
    );

    expect(sent).toEqual([500, 500, 200]);
    expect(run).toEqual({ done: 1200, added: 1200, changed: 0, removed: 0 });
  });

  test('sends the whole list if it replaces', async () => {
    const sent: number[] = [];
    const send = async (part: readonly unknown[]) => {
      sent.push(part.length);
      return { added: 0, changed: 0, removed: 7 };
    };

    await runImport({ ...job, mode: 'replace', send }, start());

    expect(sent).toEqual([1200]);
  });

  test('stops between two parts and goes on from there after a failure', async () => {
    const run = start();
    let calls = 0;
    const send = async (part: readonly unknown[]) => {
      calls += 1;
      if (calls === 2) throw new Error('import_running');
      return { added: part.length, changed: 0, removed: 0 };
    };

    await expect(runImport({ ...job, send }, run)).rejects.toThrow('import_running');
    expect(run.done).toBe(500);
    await runImport({ ...job, send, isCancelled: () => run.done >= 1000 }, run);
    expect(run).toMatchObject({ done: 1000, added: 1000 });
  });
});

describe('the order of items', () => {
  const of = (...sorts: number[]): Sortable[] => sorts.map((sort, n) => ({ value: `v${n}`, sort }));
  /** The values in order after a plan is stored. */
  const apply = (items: readonly Placed[], plan: readonly Sortable[]) =>
    items
      .map(({ value, sort }) => ({
        value,
        sort: plan.find((each) => each.value === value)?.sort ?? sort ?? NaN,
      }))
      .sort(byOrder)
      .map(({ value }) => value);
  const values = (items: readonly Placed[]) => items.map(({ value }) => value);

  test.each([
    ['between others with room', of(30, 20, 10), 2, 1, 1],
    ['to the first place', of(30, 20, 10), 2, 0, 1],
    ['to the last place', of(30, 20, 10), 0, 2, 1],
    ['to the last place below zero', of(30, 20, 0), 0, 2, 3],
    ['among equals, upwards', of(0, 0, 0, 0, 0, 0), 4, 1, 2],
    ['among equals, downwards', of(50, 50, 50, 50, 50, 50), 1, 4, 2],
    ['without room', of(3, 2, 1), 0, 1, 2],
  ])('changes few if one is moved %s', (_, items, from, to, most) => {
    const plan = planMove(items, from, to);
    const wanted = values(items).toSpliced(from, 1).toSpliced(to, 0, `v${from}`);

    expect(apply(items, plan)).toEqual(wanted);
    expect(plan.length).toBeLessThanOrEqual(most);
  });

  test.each([
    [0, 0],
    [0, -1],
    [2, 3],
    [5, 0],
  ])('does not change by a move from %d to %d', (from, to) => {
    expect(planMove(of(3, 2, 1), from, to)).toEqual([]);
  });

  test('has room for a hundred items that are appended, one change each', () => {
    let items: Sortable[] = of(0, 0, 0);
    for (let n = 3; n < 104; n += 1) {
      const plan = planOrder([...items, { value: `v${n}` }]);
      if (n > 3) expect(plan).toHaveLength(1);
      items = [...items, { value: `v${n}`, sort: 0 }].map(
        (item) => plan.find(({ value }) => value === item.value) ?? item,
      );
    }
    expect(items.toSorted(byOrder)).toEqual(items);
  });

  const sort = fc.oneof(fc.integer({ min: -3, max: 30 }), fc.constantFrom(-1_000_000, 0, 999_999, 1_000_000));
  const order = fc.uniqueArray(
    fc.record({
      value: fc.string({ minLength: 1, maxLength: 3 }),
      sort: fc.option(sort, { nil: undefined }),
    }),
    { selector: ({ value }) => value, maxLength: 30 },
  );
  test('is what was wanted for any items in any order, without negative numbers', () => {
    fc.assert(
      fc.property(order, (items) => {
        const plan = planOrder(items);

        expect(apply(items, plan)).toEqual(values(items));
        expect(plan.every(({ sort }) => sort >= 0 && sort <= 1_000_000)).toBe(true);
      }),
    );
  });
});

describe('an import without a column of the order', () => {
  const stored = ['a', 'b', 'c'].map((value, n) => ({
    value,
    name: value,
    sort: 30 - 10 * n,
    status: 'enabled',
  }));
  const order = (text: string) => {
    const { items, others } = planImport(parse(text), stored);
    const sent = new Map([...items, ...others].map((item) => [item.value, item]));
    const all = [...stored, ...items.filter(({ value }) => !stored.some((each) => each.value === value))];
    return all
      .map(({ value, sort }) => ({ value, sort: sent.get(value)?.sort ?? sort ?? 0 }))
      .sort(byOrder)
      .map(({ value }) => value);
  };

  test.each([
    ['new items at the end, in the order of the file', 'z,Z\ny,Y\nx,X', ['a', 'b', 'c', 'z', 'y', 'x']],
    ['a new item behind the one before it', 'b,b\nz,Z', ['a', 'b', 'z', 'c']],
    ['stored items in the order of the file', 'c,c\na,a', ['c', 'b', 'a']],
    ['new items before the first stored one of the file', 'z,Z\nb,b', ['a', 'z', 'b', 'c']],
  ])('keeps %s', (_, lines, wanted) => {
    expect(order(`value,name\n${lines}`)).toEqual(wanted);
  });

  test('changes nothing if the items stand in this order', () => {
    expect(planImport(parse('value,name\na,a\nc,c'), stored)).toMatchObject({
      counts: { same: 2 },
      others: [],
      items: [{ value: 'a' }, { value: 'c' }],
    });
  });

  test('renumbers others if there is no room, and keeps their order', () => {
    const full = stored.map((item) => ({ ...item, sort: 0 }));
    const { items, others } = planImport(parse('value,name\nz,Z'), full);

    expect(items[0]?.sort).toBeLessThan(Math.min(...others.map(({ sort = -1 }) => sort)));
    expect(others.map(({ value }) => value).sort()).toEqual(['a', 'b', 'c']);
  });

  test('leaves the numbers of a file that has some', () => {
    const { items, others } = planImport(parse('value,name,sort\nx,X,\ny,Y,7'), stored);

    expect(items.map(({ sort }) => sort)).toEqual([undefined, 7]);
    expect(others).toEqual([]);
  });
});
