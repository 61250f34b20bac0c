import type { LocalisedText } from '#shared/schema/component.ts';
import type { Schema } from '#shared/schema/definition.ts';
import type { SecurityScheme } from './gates.ts';

/** An answer without an envelope, for the API reference. */
export interface DescribedAnswer {
  status: number;
  description: LocalisedText;
  /** Media type of the body; undefined if there is no body. */
  contentType?: string;
  /** Schema of a JSON body; any other body is bytes. */
  schema?: Schema;
  /** Headers besides those of every answer, in lower case. */
  headers?: readonly string[];
}

/** A failure with its texts. */
export interface DescribedFailure {
  status: number;
  code: string;
  message: string;
  errors?: readonly { path: string; message: string }[];
}

/** Texts and samples for the API reference. */
export interface RouteReference {
  /** More than the summary, as plain text; the generator adds who may call, and limits. */
  description?: LocalisedText;
  /** The body that clients send, if it differs from `body`. */
  body?: Schema;
  /** The answers of a route whose `data` is `rawAnswer`. */
  answers?: readonly DescribedAnswer[];
  headers?: readonly ('If-None-Match' | 'If-Range' | 'Range')[];
  /** The security scheme whose tokens this route issues; the first such route is named with the scheme. */
  issues?: SecurityScheme;
  /** Schema of `data` in failures, by code. */
  errorData?: Record<string, Schema>;
  /** Headers of failures besides those of every answer, in lower case, by code. */
  errorHeaders?: Record<string, readonly string[]>;
  /** Passes on errors of tools, whose codes the generator does not know. */
  passesErrors?: boolean;
  /** Samples, as clients see them; a test checks them against the schemas. */
  example?: { query?: Record<string, string>; body?: unknown; data?: unknown };
}
