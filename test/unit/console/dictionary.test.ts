import { describe, expect, test } from '@jest/globals';
import { parse as parseCsv } from 'csv-parse/sync';
import { decodeText } from '#modules/System/Console/dictionary/decode.ts';
import { planMove, type Sortable } from '#modules/System/Console/dictionary/move.ts';
import { ImportError, parseImport } from '#modules/System/Console/dictionary/parse-import.ts';
import { planImport } from '#modules/System/Console/dictionary/plan-import.ts';
import { runImport } from '#modules/System/Console/dictionary/run-import.ts';
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

describe('a moved item', () => {
  const of = (...sorts: number[]): Sortable[] => sorts.map((sort, n) => ({ value: `v${n}`, sort }));
  const apply = (items: Sortable[], plan: Sortable[]) =>
    items
      .map((item) => plan.find(({ value }) => value === item.value) ?? item)
      .sort(byOrder)
      .map(({ value }) => value);

  test.each([
    ['between others with room', of(30, 20, 10), 2, 1, 1],
    ['to the first place', of(30, 20, 10), 2, 0, 1],
    ['to the last place', of(30, 20, 10), 0, 2, 1],
    ['among equals, upwards', of(0, 0, 0, 0, 0, 0), 4, 1, 2],
    ['among equals, downwards', of(0, 0, 0, 0, 0, 0), 1, 4, 2],
    ['without room', of(3, 2, 1), 0, 1, 2],
  ])('%s stands in its new place after few changes', (_, items, from, to, most) => {
    const plan = planMove(items, from, to);
    const values = items.map(({ value }) => value);
    const wanted = values.toSpliced(from, 1).toSpliced(to, 0, values[from] ?? '');

    expect(apply(items, plan)).toEqual(wanted);
    expect(plan.length).toBeLessThanOrEqual(most);
  });

  test.each([
    [0, 0],
    [0, -1],
    [2, 3],
    [5, 0],
  ])('from %d to %d changes nothing', (from, to) => {
    expect(planMove(of(3, 2, 1), from, to)).toEqual([]);
  });
});
