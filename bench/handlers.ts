/** The compared handlers: this service, the frameworks, and two minimal ones. */
export const handlerNames = ['ours', 'bare', 'hono', 'fastify', 'nest', 'empty'] as const;
export type HandlerName = (typeof handlerNames)[number];

/** A value for every handler. */
export type ByHandler<Value> = Record<HandlerName, Value>;

/** A value for every handler, computed one after another. */
export async function forEachHandler<Value>(
  make: (name: HandlerName) => Promise<Value>,
): Promise<ByHandler<Value>> {
  const made: [HandlerName, Value][] = [];
  for (const name of handlerNames) made.push([name, await make(name)]);
  return Object.fromEntries(made) as ByHandler<Value>;
}

/** Maps the value of every handler. */
export const mapHandlers = <From, To>(
  given: ByHandler<From>,
  map: (value: From, name: HandlerName) => To,
): ByHandler<To> =>
  Object.fromEntries(handlerNames.map((name) => [name, map(given[name], name)])) as ByHandler<To>;
