import { RawAnswer } from '#shared/http/raw-answer.ts';
import type { DescribedAnswer } from '#shared/http/route.ts';
import type { Schema } from '#shared/schema/definition.ts';

/**
 * Lets pages of every origin read an answer: clients in browsers need that, and neither cookies nor other credentials of
 * a browser count here.
 */
export const openToPages = { 'access-control-allow-origin': '*' };

/** Answers JSON as a standard says, without the envelope. */
export const answerJson = (content: object, cacheControl = 'no-store'): RawAnswer =>
  new RawAnswer(
    200,
    { 'content-type': 'application/json', 'cache-control': cacheControl, ...openToPages },
    Buffer.from(JSON.stringify(content)),
  );

/** The answer for the API reference. */
export const describeAnswer = (schema: Schema): DescribedAnswer => ({
  status: 200,
  description: { zh_CN: '标准规定的 JSON，无信封', en: 'JSON as the standard says, without the envelope' },
  contentType: 'application/json',
  schema,
  headers: ['cache-control'],
});
