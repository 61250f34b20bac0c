import type { Statement } from '#functions/stacks/roles.ts';

// What IAM decides about a request to DynamoDB, for the conditions that roles of functions use.

type Json = Record<string, unknown>;

/** One action that IAM decides about: a request asks for one, a transaction for one for each of its items. */
interface Asked {
  action: string;
  isIndex: boolean;
  /** Values of the condition keys; absent if the request has none. */
  facts: Record<string, string[] | undefined>;
}

/**
 * What a role does not permit of a request: the actions with their keys.
 *
 * @param operation `PutItem`, `TransactWriteItems`, …
 */
export function listDenied(statements: readonly Statement[], operation: string, body: Json): string[] {
  return listAsked(operation, body)
    .filter((asked) => !isPermitted(statements, asked))
    .map(({ action, facts }) => `${action} ${JSON.stringify(facts)}`);
}

function isPermitted(statements: readonly Statement[], asked: Asked): boolean {
  const fitting = statements.filter((each) => applies(each, asked));
  return fitting.some(({ Effect }) => Effect === 'Allow') && !fitting.some(({ Effect }) => Effect === 'Deny');
}

function applies(
  { Action, Resource, Condition = {} }: Statement,
  { action, isIndex, facts }: Asked,
): boolean {
  const resources = [Resource].flat().map((each) => JSON.stringify(each));
  const isOnResource = resources.some(
    (each) => each.includes('Table') && each.includes('/index/') === isIndex,
  );
  const holds = Object.entries(Condition).every(([operator, limits]) =>
    Object.entries(limits).every(([key, wanted]) => compare(operator, facts[key], [wanted].flat())),
  );
  return Action.includes(`dynamodb:${action}`) && isOnResource && holds;
}

/** @throws Error for an operator that no role has used before */
function compare(operator: string, values: string[] | undefined, wanted: string[]): boolean {
  const fits = (value: string) => wanted.some((pattern) => toPattern(pattern).test(value));
  if (operator === 'Null') return wanted.includes(String(values === undefined));
  // Without values, "for all" holds and "for any" does not.
  if (operator === 'ForAllValues:StringLike') return (values ?? []).every(fits);
  if (operator === 'ForAnyValue:StringLike') return (values ?? []).some(fits);
  throw new Error(`this evaluator does not know ${operator}`);
}

const toPattern = (text: string): RegExp =>
  new RegExp(
    `^${text
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`,
    's',
  );

function listAsked(operation: string, body: Json): Asked[] {
  const { TransactItems, RequestItems, IndexName } = body;
  if (Array.isArray(TransactItems)) {
    return TransactItems.flatMap((item: Json) =>
      Object.entries(item).map(([kind, input]) => ({
        action: kind === 'ConditionCheck' ? 'ConditionCheckItem' : `${kind}Item`,
        isIndex: false,
        facts: readFacts(Object(input)),
      })),
    );
  }
  const batches = Object.values(Object(RequestItems)).flatMap((batch) => Object(batch).Keys ?? []);
  const facts = RequestItems ? { 'dynamodb:LeadingKeys': batches.map(readKey) } : readFacts(body);
  return [{ action: operation, isIndex: IndexName !== undefined, facts }];
}

const readKey = (item: Json): string => String(Object(item.pk).S);

/** Words of expressions that are no attributes; functions begin with lowercase letters. */
const reserved = new Set([
  ...['SET', 'ADD', 'REMOVE', 'DELETE', 'AND', 'OR', 'NOT', 'BETWEEN', 'IN', 'size', 'contains'],
  'begins_with',
  ...['attribute_exists', 'attribute_not_exists', 'attribute_type', 'if_not_exists', 'list_append'],
]);

function readFacts(input: Json): Asked['facts'] {
  const { Key, Item, UpdateExpression, ConditionExpression } = input;
  const names: string[] = Object.values(Object(input.ExpressionAttributeNames));
  const given = Object.keys(Object(Item ?? Key));
  const words = `${UpdateExpression ?? ''} ${ConditionExpression ?? ''}`.match(/(?<![#:\w])[a-z]\w*/gi) ?? [];
  const plain = words.filter((word) => !reserved.has(word));
  const leading = Item ?? Key;
  return {
    ...(leading !== undefined && { 'dynamodb:LeadingKeys': [readKey(Object(leading))] }),
    ...(leading !== undefined && { 'dynamodb:Attributes': [...new Set([...given, ...names, ...plain])] }),
  };
}
