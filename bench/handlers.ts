/** What answers the same requests: this service, the frameworks, and two floors. */
export const handlerNames = ['ours', 'bare', 'hono', 'fastify', 'nest', 'empty'] as const;
export type HandlerName = (typeof handlerNames)[number];

/** Something of every handler. */
export type ByHandler<Value> = Record<HandlerName, Value>;

/** Something of every handler, made one after another. */
export async function forEachHandler<Value>(
  make: (name: HandlerName) => Promise<Value>,
): Promise<ByHandler<Value>> {
  const made: [HandlerName, Value][] = [];
  for (const name of handlerNames) made.push([name, await make(name)]);
  return Object.fromEntries(made) as ByHandler<Value>;
}

/** Something of every handler, made of what is there of each. */
export const mapHandlers = <From, To>(
  given: ByHandler<From>,
  map: (value: From, name: HandlerName) => To,
): ByHandler<To> =>
  Object.fromEntries(handlerNames.map((name) => [name, map(given[name], name)])) as ByHandler<To>;
