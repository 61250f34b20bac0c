import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { addField } from '#cli/resources/add-field.ts';
import { parseField, parseFields } from '#cli/resources/parse-field.ts';
import { renderRecord } from '#cli/resources/render-record.ts';
import { createResourceNames } from '#cli/resources/resource-names.ts';
import { fieldLists } from '../../modules-of-others/random-fields.ts';

const source = `import { defineRecord } from '#shared/records/define-record.ts';
import { label } from '#shared/schema/marks.ts';
import { text } from '#shared/schema/text.ts';
import { titled } from '#shared/schema/titled.ts';

// A comment by hand.
export const things = defineRecord({
  module: 'lab', // it stays
  name: 'lab_thing',
  title: { zh_CN: '物品', en: 'thing', plural: 'things' },
  fields: {
    /** By hand too. */
    name: titled({ zh_CN: '名称', en: 'Name' }, label(text(1, 7))),
  },
  search: ['name'],
});

export const double = (count: number) => 2 * count;
`;

describe('a field that is added to a source', () => {
  test('leaves every line by hand as it is', () => {
    const changed = addField(source, parseField('price:money filter label(价格|Price)'));

    const linesOf = (text: string) => text.split('\n').map((line) => line.trim());
    expect(linesOf(source).filter((line) => linesOf(changed).includes(line))).toEqual(linesOf(source));
    expect(changed).toContain("price: titled({ zh_CN: '价格', en: 'Price' }, money('CNY')),");
    expect(changed).toContain("filters: ['price']");
    expect(changed).toContain("import { money } from '#shared/records/fields/values.ts';");
  });

  test('is written once, and only into a source of the usual form', () => {
    const wrong = (text: string, field: string) => () => addField(text, parseField(field));

    expect(wrong(source, 'name:text')).toThrow('it has a field "name" already');
    expect(wrong(source.replace("['name']", 'names'), 'more:text search')).toThrow(
      "line 15: search is not written as [ … ]: add 'more'",
    );
    expect(wrong(source.replace('defineRecord({', 'define({'), 'more:text')).toThrow('not one defineRecord');
    const full = addField(addField(source, parseField('a:date filter')), parseField('b:date filter'));
    expect(wrong(full, 'c:date filter')).toThrow('two filters');
  });

  test('leads to the same fields as if it had been there from the beginning', () =>
    fc.assert(
      fc.property(fieldLists, (sources) => {
        const names = createResourceNames('Lab', 'thing');
        const fields = parseFields(sources);
        const [first = fields[0], ...others] = fields;
        if (!first) return;
        const grown = others.reduce(addField, renderRecord(names, [first], undefined));
        const whole = renderRecord(names, fields, undefined);
        const read = (text: string) =>
          [...text.matchAll(/^ *(\w+: titled\(.*),$/gm)].map(([, field]) => field);
        const readLists = (text: string) =>
          text
            .match(/(?:filters|search): \[[^\]]*\]/g)
            ?.map((each) => each.replace(/\s/g, '').replace(',]', ']'))
            .sort();
        expect(read(grown)).toEqual(read(whole));
        expect(readLists(grown)).toEqual(readLists(whole));
      }),
    ));
});
