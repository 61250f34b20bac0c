import fc from 'fast-check';
import { fieldTypes, isFieldType, typeOfField } from '#cli/resources/field-types.ts';

const words = [
  'title',
  'price',
  'sold_at',
  'kind',
  'note',
  'weight',
  'owner',
  'cover',
  'body',
  'size',
  'is_new',
  'day',
];

const sourceOf = (name: string) =>
  fc.constantFrom(...Object.keys(fieldTypes).filter(isFieldType)).chain((type) => {
    const { argument, can = [] } = typeOfField(type);
    const brackets = argument ? fc.constant(`(${argument.example})`) : fc.constant('');
    const flags = fc.subarray([...can].filter((flag) => flag !== 'filter'));
    const needed = fc.constantFrom('', ' optional', ' required');
    const label = fc.constantFrom('', ` label(${name}中|The ${name})`);
    return fc
      .tuple(brackets, flags, needed, label)
      .map(
        (parts) =>
          `${name}:${type}${parts[0]}${parts[1].map((flag) => ` ${flag}`).join('')}${parts[2]}${parts[3]}`,
      );
  });

const isFilterable = (type: string): boolean =>
  isFieldType(type) && typeOfField(type).can?.includes('filter') === true;

/** Adds `filter` to the first fields that can be filters. */
function addFilters(sources: string[], count: number): string[] {
  let left = count;
  return sources.map((source) => {
    const [, type = ''] = /^\w+:([a-z]+)/.exec(source) ?? [];
    if (left === 0 || !isFilterable(type)) return source;
    left -= 1;
    return `${source} filter`;
  });
}

/** Lists of fields as `resource:make` takes them. */
export const fieldLists: fc.Arbitrary<string[]> = fc
  .tuple(fc.subarray(words, { minLength: 1, maxLength: 8 }), fc.integer({ min: 0, max: 2 }))
  .chain(([names, filters]) =>
    fc.tuple(...names.map(sourceOf)).map((sources) => addFilters(sources, filters)),
  );
