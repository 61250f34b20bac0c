import type { Item, Key, Refusal, Write } from './items.ts';

export type Attributes = Record<string, unknown>;
type Numbers = Record<string, number>;

/** Conditions on the stored item. */
export interface Conditions {
  /** The item exists and has these values; undefined means that the attribute does not exist. */
  expect?: Attributes;
  /** Largest values; an attribute that does not exist passes. */
  atMost?: Numbers;
  /** Smallest values of attributes that exist. */
  atLeast?: Numbers;
}

/** A change of an item. Without `expect`, DynamoDB creates an item that does not exist. */
export interface Change extends Conditions {
  /** New values; undefined changes nothing. */
  set?: Attributes;
  /** Numbers to add; an attribute that does not exist counts as 0. */
  add?: Numbers;
  remove?: readonly string[];
}

/** The write that stores or replaces an item. */
export const putItem = (item: Item, conditions: Conditions = {}, refusal?: Refusal): Write => ({
  Put: { Item: item, ...toExpressions(conditions).guard },
  refusal,
});

/** The write that stores an item. It fails if the item exists. */
export const putNew = (item: Item, refusal?: Refusal): Write => ({
  Put: { Item: item, ConditionExpression: 'attribute_not_exists(pk)' },
  refusal,
  replaced: 'nothing',
});

/** The write that changes some attributes of an item. */
export const changeItem = (key: Key, change: Change, refusal?: Refusal) => {
  const { guard, UpdateExpression } = toExpressions(change);
  return { Update: { Key: { ...key }, UpdateExpression, ...guard }, refusal };
};

/** The write that deletes an item. */
export const removeItem = (key: Key, conditions: Conditions = {}, refusal?: Refusal): Write => ({
  Delete: { Key: { ...key }, ...toExpressions(conditions).guard },
  refusal,
});

/** Checks an item in a transaction without a change. */
export const checkItem = (key: Key, conditions: Conditions, refusal?: Refusal): Write => {
  const { ConditionExpression = '', ...rest } = toExpressions(conditions).guard;
  return { ConditionCheck: { Key: { ...key }, ConditionExpression, ...rest }, refusal };
};

export function withoutUndefined<T extends object>(input: T): T {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as T;
}

/** Converts a change to expressions of DynamoDB. */
function toExpressions({ set = {}, add = {}, remove = [], ...conditions }: Change) {
  const names: Record<string, string> = {};
  const values: Attributes = {};
  const name = (attribute: string) => {
    names[`#${attribute}`] = attribute;
    return `#${attribute}`;
  };
  const pair = (kind: string, operator: string, given: Attributes) =>
    Object.entries(withoutUndefined(given)).map(([attribute, value]) => {
      values[`:${kind}_${attribute}`] = value;
      return `${name(attribute)} ${operator} :${kind}_${attribute}`;
    });
  const clauses = { SET: pair('set', '=', set), ADD: pair('add', '', add), REMOVE: remove.map(name) };
  const { expect, atMost = {}, atLeast = {} } = conditions;
  const present = pair('expect', '=', expect ?? {});
  const absent = Object.keys(expect ?? {}).filter((attribute) => expect?.[attribute] === undefined);
  const parts = [
    ...(expect && present.length === 0 ? ['attribute_exists(pk)'] : present),
    ...absent.map((attribute) => `attribute_not_exists(${name(attribute)})`),
    ...pair('least', '>=', atLeast),
    ...Object.entries(atMost).map(([attribute, most]) => {
      const [small] = pair('most', '<=', { [attribute]: most });
      return `(attribute_not_exists(#${attribute}) OR ${small})`;
    }),
  ];
  const update = Object.entries(clauses).flatMap(([word, list]) =>
    list.length > 0 ? [`${word} ${list.join(', ')}`] : [],
  );
  const guard = {
    ...(parts.length > 0 && { ConditionExpression: parts.join(' AND ') }),
    ...(Object.keys(names).length > 0 && { ExpressionAttributeNames: names }),
    ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
  };
  return { UpdateExpression: update.join(' '), guard };
}
