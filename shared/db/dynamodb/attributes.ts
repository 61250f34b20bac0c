import { convertToNative, marshall } from '@aws-sdk/util-dynamodb';

type AttributeValue = Parameters<typeof convertToNative>[0];
type Fields = Record<string, unknown>;
/** Changes a map of attributes into its other form. */
type Change = (attributes: never) => unknown;
/** Changes every map of attributes inside a value. */
type Convert = (value: never, change: Change) => unknown;

const attributes: Convert = (value, change) => change(value);
const eachOf =
  (convert: Convert): Convert =>
  (list: never[], change) =>
    list.map((value) => convert(value, change));
const valuesOf =
  (convert: Convert): Convert =>
  (fields: Record<string, never>, change) =>
    Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, convert(value, change)]));

/** What fields of inputs and outputs hold of attributes, at any depth; the others travel as they are. */
const places = new Map<string, Convert>([
  ['Key', attributes],
  ['Item', attributes],
  ['ExpressionAttributeValues', attributes],
  ['ExclusiveStartKey', attributes],
  ['LastEvaluatedKey', attributes],
  ['Keys', eachOf(attributes)],
  ['Items', eachOf(attributes)],
  ['Responses', valuesOf(eachOf(attributes))],
  ['RequestItems', valuesOf(convertFields)],
  ['UnprocessedKeys', valuesOf(convertFields)],
  ['TransactItems', eachOf(valuesOf(convertFields))],
]);

function convertFields(fields: Record<string, never>, change: Change): Fields {
  const converted: Fields = {};
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) converted[name] = places.get(name)?.(value, change) ?? value;
  }
  return converted;
}

/**
 * The input of an operation as it travels: plain values become attribute values, what is undefined is left out.
 * Binary values are not known.
 *
 * @throws Error for values that DynamoDB has no type for
 */
export const encodeInput = (input: object): Fields =>
  convertFields(input as Record<string, never>, (plain) => marshall(plain, { removeUndefinedValues: true }));

/** The output of an operation, with plain values for attribute values, which they replace in place. */
export const decodeOutput = (output: object): Fields =>
  convertFields(output as Record<string, never>, toPlain);

/** Strings, which most attributes are, need no converter: to ask it for each would be most of a list's time here. */
function toPlain(attributes: Fields): Fields {
  for (const name of Object.keys(attributes)) {
    const value = attributes[name] as AttributeValue;
    attributes[name] = typeof value.S === 'string' ? value.S : convertToNative(value);
  }
  return attributes;
}
