/** A JSON object on its way into the document. */
export type Json = Record<string, unknown>;

/** Tells a rule by its message key, in the document's locale. */
export type DescribeRule = (key: string, params?: Record<string, string | number>) => string;
