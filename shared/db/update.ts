/**
 * The parts of an UpdateItem that set the given attributes; those whose value is undefined stay as they are.
 * Names are prefixed by `#`, values by `:`, so that a condition may refer to them too.
 */
export function setAttributes(changes: Record<string, unknown>) {
  const entries = Object.entries(changes).filter(([, value]) => value !== undefined);
  return {
    UpdateExpression: `SET ${entries.map(([name]) => `#${name} = :${name}`).join(', ')}`,
    ExpressionAttributeNames: Object.fromEntries(entries.map(([name]) => [`#${name}`, name])),
    ExpressionAttributeValues: Object.fromEntries(entries.map(([name, value]) => [`:${name}`, value])),
  };
}
