/** Who sends a request; the world adds their login. */
export const callers = ['guest', 'admin', 'user', 'reader', 'writer'] as const;
/** `reader` and `writer` hold API tokens of an administrator. */
export type Caller = (typeof callers)[number];

/**
 * A request as a generator makes it, all of it JSON. `~kind.n~` in its texts stands for something that exists,
 * such as the ID of an article, so that it means the same in another run.
 */
export interface HostileRequest {
  method: string;
  path: string;
  query?: string;
  headers: Record<string, string>;
  caller: Caller;
  /** As text, or as bytes in base64. */
  body?: { text: string } | { bytes: string };
  /** Whether the gateway hands the body over in base64, for any content type. */
  isBase64?: boolean;
}

/** The bytes of a body, with what stands in it replaced. */
export function readBody({ body }: HostileRequest, fill: (text: string) => string): Buffer | undefined {
  if (!body) return undefined;
  if ('text' in body) return Buffer.from(fill(body.text));
  // Latin-1 keeps every byte, and what is filled in is ASCII.
  return Buffer.from(fill(Buffer.from(body.bytes, 'base64').toString('latin1')), 'latin1');
}
