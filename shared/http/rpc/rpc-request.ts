import * as z from 'zod/mini';

/** Ties an answer to its request. */
export type RpcId = string | number | null;

// A number that JSON parsed to another one than was sent could not be answered under its name.
const id = z.union([
  z.string(),
  z.number().check(z.refine((value) => !Number.isInteger(value) || Number.isSafeInteger(value))),
  z.null(),
]);

/** A request object (JSON-RPC 2.0, section 4); one without `id` is a notification. */
export const rpcRequest = z.strictObject({
  jsonrpc: z.literal('2.0'),
  method: z.string(),
  params: z.optional(z.union([z.record(z.string(), z.unknown()), z.array(z.unknown())])),
  id: z.optional(id),
});
export type RpcRequest = z.output<typeof rpcRequest>;

/**
 * Parses the text of a body.
 *
 * @returns undefined for what is no JSON; `isHostile` for what would set the prototype of an object it is copied to
 */
export function parseText(text: string): { value: unknown; isHostile: boolean } | undefined {
  let isHostile = false;
  try {
    const value: unknown = JSON.parse(text, (key, each) => {
      isHostile ||= key === '__proto__';
      return each;
    });
    return { value, isHostile };
  } catch {
    return undefined;
  }
}

/** The ID of what may be no good request; null where it has none that could be answered to. */
export function readId(value: unknown): RpcId {
  const found: unknown = Object(value).id;
  const result = z.safeParse(id, found);
  return result.success ? result.data : null;
}

/** The method that a text calls; undefined if the text is not a request. Also for callers who are not logged in. */
export function readMethod(text: string): string | undefined {
  try {
    // Without a reviver, which is called for each value: it makes a list of 256 KiB cost 50 ms instead of 5.
    const result = z.safeParse(rpcRequest, JSON.parse(text));
    return result.success ? result.data.method : undefined;
  } catch {
    return undefined;
  }
}
