import type * as z from 'zod/mini';
import type { ErrorCode } from '#shared/errors/catalogue.ts';
import type { Locale } from '#shared/i18n/locale.ts';
import type { LocalisedText } from '#shared/schema/localised-text.ts';

/** Headers of a request that a route may make something of. */
export type ConditionHeader = 'If-None-Match' | 'If-Range' | 'Range';

/** An answer without an envelope, as the API reference describes it. */
export interface DescribedAnswer {
  status: number;
  description: LocalisedText;
  /** Media type of its body; without one it has no body. */
  contentType?: string;
  /** What a JSON body holds; any other counts as bytes. */
  schema?: z.core.$ZodType;
  /** Headers that it carries besides those of every answer, in lower case. */
  headers?: readonly string[];
}

/** What the API reference tells of a route that its schemas do not. */
export interface RouteReference {
  /** What callers need to know beside the summary, as plain text; who may call and limits are added to it. */
  description?: LocalisedText;
  /** What clients send, where `body` describes something else. */
  body?: z.core.$ZodType;
  /** What a route whose `data` is `rawAnswer` answers. */
  answers?: readonly DescribedAnswer[];
  /** Headers of a request that change the answer. */
  headers?: readonly ConditionHeader[];
  /** What failures carry under `data`, of codes where that is not null. */
  errorData?: Partial<Record<ErrorCode, z.core.$ZodType>>;
  /** Hands failures of tools on, whose codes nobody knows beforehand. */
  passesErrors?: boolean;
  /** Samples, in the form of clients; a test holds them against the schemas. */
  example?: { query?: Record<string, string>; body?: unknown; data?: unknown };
}

/** The OpenAPI document of all enabled routes in a locale, made at build time. */
export type ApiDocuments = Record<Locale, () => Promise<{ default: Record<string, unknown> }>>;
