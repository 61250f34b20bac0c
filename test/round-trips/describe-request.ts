/** Longest name of a request. */
const longest = 300;

type Json = Record<string, unknown>;

/**
 * Describes a request to a store as text.
 *
 * @param target the header `x-amz-target`, which only requests to the database have
 * @example `cache: MGET service:session:…`, `database: GetItem ADMIN#01H…`
 */
export function describeRequest(target: string | string[] | undefined, body: string): string {
  const text = target
    ? `database: ${describeOperation(String(target), body)}`
    : `cache: ${listCommands(body)}`;
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

function listCommands(body: string): string {
  const commands: unknown[][] = JSON.parse(body);
  return commands.map(describeCommand).join(' | ');
}

/** Name and keys; scripts and values say nothing. */
function describeCommand([name, ...parts]: unknown[]): string {
  const keys = parts.filter((part) => String(part).startsWith('service:')).map(String);
  return [name, ...keys].join(' ');
}

function describeOperation(target: string, body: string): string {
  const operation = target.split('.')[1] ?? target;
  const input: Json = JSON.parse(body);
  const { TransactItems, RequestItems } = input;
  if (Array.isArray(TransactItems)) return `${operation} ${TransactItems.map(describeWrite).join(', ')}`;
  const keys = Object.values(Object(RequestItems)).flatMap((table) => Object(table).Keys);
  return `${operation} ${RequestItems ? keys.map(toKey).join(', ') : describeInput(input)}`;
}

function describeWrite(write: Json): string {
  return Object.entries(write)
    .map(([kind, input]) => `${kind} ${describeInput(Object(input))}`)
    .join();
}

/** The key, or the partition of a query. */
function describeInput({ Key, Item, IndexName = '', ExpressionAttributeValues }: Json): string {
  if (Key || Item) return toKey(Key ?? Item);
  const values = Object.values(Object(ExpressionAttributeValues)).map((value) => Object(value).S ?? '');
  return `${IndexName} ${values.join(' ')}`.trim();
}

function toKey(item: unknown): string {
  const { pk, sk } = Object(item);
  return pk?.S === sk?.S ? `${pk?.S}` : `${pk?.S} ${sk?.S}`;
}
