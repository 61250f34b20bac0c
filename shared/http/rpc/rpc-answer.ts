import * as z from 'zod/mini';

const jsonrpc = z.literal('2.0');
const id = z.union([z.string(), z.number(), z.null()]);
const error = z.strictObject({
  code: z.int(),
  message: z.string(),
  data: z.optional(
    z.strictObject({
      code: z.optional(z.string()),
      errors: z.optional(z.array(z.strictObject({ path: z.string(), message: z.string() }))),
    }),
  ),
});

/** A response object (JSON-RPC 2.0, section 5). */
export const rpcResponse = z.union([
  z.strictObject({ jsonrpc, result: z.unknown(), id }),
  z.strictObject({ jsonrpc, error, id }),
]);
