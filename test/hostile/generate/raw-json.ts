import fc from 'fast-check';

// JSON that `JSON.stringify` does not write: a placeholder stands for it until the body is text.

const mark = '\u{f0000}';

/** Placeholder of raw JSON text in a value. */
export const raw = (text: string): string => `${mark}${text}${mark}`;

/** Longest generated text, in characters: well below the gateway's limit. */
const longest = 6_000_000;

/** The JSON text of a value with its raw parts; cut if too long. */
export function toJsonText(value: unknown): string {
  return expand(value).slice(0, longest);
}

function expand(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null';
  return text.replace(new RegExp(`"${mark}(.*?)${mark}"`, 'gu'), (_whole, inner: string) => {
    const unquoted: string = JSON.parse(`"${inner}"`);
    return unquoted.replace(/^deep (\d+)$/, (_deep, depth: string) => nest(Number(depth)));
  });
}

const nest = (depth: number): string =>
  depth % 2 === 0 ? '['.repeat(depth) + ']'.repeat(depth) : `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

/** Numbers, repeated keys and depths that only JSON text can express. */
export const rawJson: fc.Arbitrary<string> = fc
  .constantFrom(
    ...['1e999', '-1e999', '-0', '1e-400', '9007199254740993', '1.0', '1E+2'],
    '123456789012345678901234567890',
    ...['0.1e1', '-1', '2147483648', '4294967296', '1e21', '5e-324', '1.7976931348623157e308'],
    ...['01', '+1', '.5', '1.', 'NaN', 'Infinity', '0x10', 'undefined', "'a'"],
    ...['{"a":1,"a":2}', '{"__proto__":{"polluted":true}}'],
    '{"constructor":{"prototype":{"polluted":true}}}',
    ...['{"toString":null,"valueOf":1}', '{"length":1e9}', '"\\ud800"', '"\\u0000"'],
    ...['deep 5', 'deep 64', 'deep 1001', 'deep 7000', 'deep 20001', 'deep 200000'],
  )
  .map(raw);
