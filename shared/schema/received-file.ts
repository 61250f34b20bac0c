import * as z from 'zod/mini';
import { originOf } from '#shared/schema/definition.ts';

/** A file of a `multipart/form-data` body. The media type of the client is not kept, because it cannot be trusted. */
export class ReceivedFile {
  /** The client's file name; not validated. */
  readonly name: string;
  readonly bytes: Uint8Array;

  constructor(name: string, bytes: Uint8Array) {
    this.name = name;
    this.bytes = bytes;
  }
}

/** A field of a form that is a file. A part without a file name is text (RFC 7578, section 4.2). */
export const receivedFile = z.custom<ReceivedFile>((value) => value instanceof ReceivedFile, {
  error: ({ input }) => (typeof input === 'string' && input !== '' ? 'rule.file_name' : 'rule.file'),
});

/** Whether a schema is {@link receivedFile}, or a copy of it with a label. */
export const isReceivedFile = (schema: z.core.$ZodType): boolean =>
  schema === receivedFile || originOf(schema) === receivedFile;
