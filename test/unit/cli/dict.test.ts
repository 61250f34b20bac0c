import { describe, expect, test } from '@jest/globals';
import { readItems } from '#cli/commands/dict.ts';

const item = (value: string) => ({ name: 'A', value });

describe('a file of dictionary items', () => {
  test('is CSV with a header', () => {
    const text = '\uFEFFvalue,name,sort,status\r\n007,"Red, dark",5,disabled\r\n\r\n1e3,绿,,\r\n'.slice(1);

    expect(readItems(text)).toEqual([
      { value: '007', name: 'Red, dark', sort: 5, status: 'disabled' },
      { value: '1e3', name: '绿' },
    ]);
  });

  test('is JSON too', () => {
    const items = [{ value: '1', name: 'A', sort: -1, status: 'enabled' }, item('2')];

    expect(readItems(`\n${JSON.stringify(items)}`)).toEqual(items);
  });

  test('may hold at most 5,000 items', () => {
    const list = (count: number) => Array.from({ length: count }, (_, index) => item(`v${index}`));

    expect(readItems(JSON.stringify(list(5_000)))).toHaveLength(5_000);
    expect(() => readItems(JSON.stringify(list(5_001)))).toThrow(/^Nothing was imported:\n {2}items: .*5000/);
  });

  test.each([
    ['a wrong value of CSV', 'name,value\nA,1\nB,中', /^Nothing was imported:\n {2}line 3, value: /],
    ['a value that is there twice', 'name,value\nA,1\nB,1', /line 3, value: .*twice$/],
    ['a sort that is no number', 'name,value,sort\nA,1,first', /line 2, sort: .*number/],
    ['a status', 'name,value,status\nA,1,on', /line 2, status: .*enabled/],
    ['a row that is too long', 'name,value\nA,1\nB,2,3', /line 3/],
    ['a quotation mark that does not end', 'name,value\n"A,1', /quote/i],
    ['an unknown column', 'name,value,colour\nA,1,x', /^Line 1 .*"colour" is not a column$/],
    ['a missing column', 'name\nA', /^Line 1 .*the column "value" is missing$/],
    ['an invalid header alone', 'A,1', /^Line 1 /],
    ['an empty file', '', /^Line 1 .*the column "name" is missing$/],
    [
      'a wrong item of JSON',
      '[\n  {"name":"A","value":"1"},\n  {"name":"","value":"2"}\n]',
      /line 3, name: /,
    ],
    ['an unknown field', '[{"name":"A","value":"1","x":1}]', /line 1, x: /],
    ['an item that is not an object', '["x"]', /line 1: /],
    ['JSON that is no list', '{}', /items: /],
    ['broken JSON', '[\n{"name" 1}]', /^The file is not JSON: .*line 2/s],
  ])('is refused for %s', (_what, text, message) => {
    expect(() => readItems(text)).toThrow(message);
  });

  test('is refused with the first 100 reasons and the number of others', () => {
    const rows = Array.from({ length: 103 }, (_, index) => `,${index}`);

    expect(() => readItems(['name,value', ...rows].join('\n'))).toThrow(
      /\n {2}line 101, name: .*\n {2}and 3 more$/,
    );
  });
});
