import type { Write } from './items.ts';
import type { Key } from './keys.ts';

/** The entries of an object whose value is not undefined. */
export function withoutUndefined<T extends object>(input: T): T {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as T;
}

/**
 * The parts of an UpdateItem that set the given attributes; those whose value is undefined stay as they are.
 * Names are prefixed by `#`, values by `:`, so that a condition may refer to them too.
 */
export function setAttributes(changes: Record<string, unknown>) {
  const entries = Object.entries(withoutUndefined(changes));
  return {
    UpdateExpression: `SET ${entries.map(([name]) => `#${name} = :${name}`).join(', ')}`,
    ExpressionAttributeNames: Object.fromEntries(entries.map(([name]) => [`#${name}`, name])),
    ExpressionAttributeValues: Object.fromEntries(entries.map(([name, value]) => [`:${name}`, value])),
  };
}

/**
 * The write that edits a versioned item, and the attributes it then has. Its condition fails where the item
 * is not there, or is no longer of the version that the edit was made upon.
 */
export function editVersion(key: Key, version: number, changes: Record<string, unknown>) {
  const attributes = withoutUndefined({
    ...changes,
    version: version + 1,
    updated_at: new Date().toISOString(),
  });
  const { ExpressionAttributeValues, ...update } = setAttributes(attributes);
  const write: Write = {
    Update: {
      Key: { ...key },
      ...update,
      ConditionExpression: '#version = :expected',
      ExpressionAttributeValues: { ...ExpressionAttributeValues, ':expected': version },
    },
  };
  return { write, attributes };
}
