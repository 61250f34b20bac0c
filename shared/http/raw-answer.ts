import * as z from 'zod/mini';

/** An answer without an envelope, as a file is answered. */
export class RawAnswer {
  readonly status: number;
  /** Names in lower case; they stand above those of every answer. */
  readonly headers: Record<string, string>;
  readonly body: Uint8Array | undefined;

  constructor(status: number, headers: Record<string, string>, body?: Uint8Array) {
    this.status = status;
    this.headers = headers;
    this.body = body;
  }
}

/** `data` of a route that answers without an envelope. */
export const rawAnswer = z.custom<RawAnswer>((value) => value instanceof RawAnswer);
