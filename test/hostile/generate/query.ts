import fc from 'fast-check';
import { fromSchema, type JsonSchema, type Known } from './from-schema.ts';
import { hostileText } from './texts.ts';

/** A parameter as OpenAPI describes it. */
export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema: JsonSchema;
}

const encode = (text: string): string => encodeURIComponent(text.toWellFormed());

const pair = (name: string, value: unknown): string => `${encode(name)}=${encode(String(value))}`;

/** Changes of a good query. */
const damages: ((query: string, name: string, text: string) => string)[] = [
  (query) => `${query}&${query}`,
  (query, name) => `${query}&${name}=`,
  (query, name) => `${name}[]=a&${name}[0]=b&${name}[__proto__]=c&${query}`,
  (query) => `${query}&__proto__=1&constructor=2&toString=3&__proto__[polluted]=4`,
  (query) => `${query}&%`,
  (query, name) => `${name}=%zz%&${query}`,
  (query, name) => `${name}=%ED%A0%80&${query}`,
  (query, name) => `${name}=%00%ff&${query}`,
  (query) => query.replaceAll('=', ''),
  (query) => query.replaceAll('&', ';'),
  (query) => `&&&=&=${query}`,
  (_query, name, text) => pair(name, text),
  (_query, name) => pair(name, 'a'.repeat(9000)),
  (_query, name) => Array.from({ length: 400 }, () => `${name}=1`).join('&'),
  (_query, name) =>
    Array.from({ length: 200 }, (_, index) => `${name}=k${'abcdefghij'.charAt(index % 10)}`).join('&'),
  (_query, name) => `${name}&`.repeat(3000),
  (query) => `${query}&${'a&'.repeat(3500)}`,
  (_query, name) => pair(name, '1e3'),
  (_query, name) => pair(name, '-1'),
  (_query, name) => pair(name, ','.repeat(200)),
  () => '',
];

/** Queries: ones that fit a route's parameters, and ones that do not. */
export function queryOf(parameters: readonly Parameter[], known: Known) {
  const own = parameters.filter((each) => each.in === 'query');
  const fields = Object.fromEntries(own.map(({ name, schema }) => [name, fromSchema(schema, known, name)]));
  const requiredKeys = own.filter(({ required }) => required).map(({ name }) => name);
  const good = fc.record(fields, { requiredKeys }).map((values) =>
    Object.entries(values)
      .map(([name, value]) => pair(name, value))
      .join('&'),
  );
  const name = fc.constantFrom(...own.map((each) => each.name), 'limit', 'unknown');
  const bad = fc
    .tuple(good, fc.constantFrom(...damages), name, hostileText)
    .map(([query, damage, at, text]) => damage(query, at, text));
  return { good, bad };
}
