import * as z from 'zod/mini';

/** A file of a `multipart/form-data` body. What the client called its type is not kept: nobody may trust it. */
export class ReceivedFile {
  /** The client's file name; may be anything. */
  readonly name: string;
  readonly bytes: Uint8Array;

  constructor(name: string, bytes: Uint8Array) {
    this.name = name;
    this.bytes = bytes;
  }
}

/** A field of a form that is a file. */
export const receivedFile = z.custom<ReceivedFile>((value) => value instanceof ReceivedFile, {
  error: 'rule.file',
});
