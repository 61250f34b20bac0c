import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { UsageError } from '#cli/command.ts';
import { type FieldSpec, parseField, parseFields } from '#cli/resources/parse-field.ts';
import { fieldLists } from '../../modules-of-others/random-fields.ts';

/** A field as it is written on the command line. */
const print = ({ name, type, argument, flags, label }: FieldSpec): string =>
  [
    `${name}:${type}${argument === undefined ? '' : `(${argument})`}`,
    ...flags,
    ...(label ? [`label(${label.zh_CN}|${label.en})`] : []),
  ].join(' ');

describe('a field on the command line', () => {
  test('is read as it is written', () =>
    fc.assert(
      fc.property(fieldLists, (sources) => {
        for (const field of parseFields(sources)) expect(parseField(print(field))).toEqual(field);
      }),
    ));

  test('ends in a field or in a refusal that quotes it, for any text', () =>
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fieldLists.map((list) => `${list[0]}x(`),
        ),
        (source) => {
          try {
            expect(parseField(source).name).toMatch(/^[a-z][a-z0-9_]*$/);
          } catch (error) {
            expect(error).toBeInstanceOf(UsageError);
            expect(String(error)).toContain(source);
          }
        },
      ),
    ));

  test.each([
    ['title', 'write it as name:type'],
    ['Title:text', 'lower case'],
    ['id:text', 'every record has "id"'],
    ['title:string', 'there is no type "string"'],
    ['kind:dict', 'write dict(shop_status)'],
    ['title:text(0)', 'write text(100)'],
    ['on:boolean(1)', 'takes nothing in brackets'],
    ['body:html search', 'search in'],
    ['size:integer(-5,5) filter', 'numbers from 0 only'],
    ['title:text big', '"big" is not a flag'],
    ['title:text optional required', 'not both'],
  ])('%s is refused: %s', (source, problem) => {
    expect(() => parseField(source)).toThrow(problem);
  });

  test('stands once in a list, and two fields at most are filters', () => {
    expect(() => parseFields(['a:text', 'a:date'])).toThrow('two fields "a"');
    expect(() => parseFields(['a:text filter', 'b:date filter', 'c:user filter'])).toThrow('at most two');
  });
});
