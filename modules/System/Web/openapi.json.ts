import * as z from 'zod/mini';
import { environment } from '#shared/config/environment.ts';
import { hasTag, RawAnswer, rawAnswer, weakTag } from '#shared/http/raw-answer.ts';
import { type Needs, web } from '#shared/http/route.ts';
import { type Locale, toLanguageTag } from '#shared/i18n/locale.ts';

const headerNames = ['content-language', 'etag', 'cache-control', 'vary'];

export default web.get({
  summary: { zh_CN: '接口描述（OpenAPI 3.1）', en: 'Description of the API (OpenAPI 3.1)' },
  data: rawAnswer,
  needs: ['documents'],
  reference: {
    headers: ['If-None-Match'],
    answers: [
      {
        status: 200,
        description: {
          zh_CN: 'OpenAPI 3.1 文档，无信封',
          en: 'The OpenAPI 3.1 document, without an envelope',
        },
        contentType: 'application/json',
        schema: z.looseObject({ openapi: z.literal('3.1.0') }),
        headers: headerNames,
      },
      { status: 304, description: { zh_CN: '内容未变', en: 'Not changed' }, headers: headerNames },
    ],
  },
  handler: async ({ documents, locale, request: { event } }) => {
    rendered[locale] ??= render(documents[locale]);
    const { text, etag } = await rendered[locale];
    const headers = {
      'content-language': toLanguageTag(locale),
      'cache-control': 'public, no-cache',
      vary: 'Accept-Language, X-Language, Origin',
      etag,
    };
    if (hasTag(event.headers['if-none-match'], etag)) return new RawAnswer(304, headers);
    const contentType = 'application/json; charset=utf-8';
    return new RawAnswer(200, { 'content-type': contentType, ...headers }, Buffer.from(text));
  },
});

/** Answers of this process, by locale. */
const rendered: Partial<Record<Locale, ReturnType<typeof render>>> = {};

/** The document with the URL of this site, which the build does not know. */
async function render(load: Needs['documents'][Locale]) {
  const { default: document } = await load();
  const servers = Array.isArray(document.servers) ? document.servers : [];
  const here = servers.map((server: object) => ({ ...server, url: environment().publicUrl }));
  const text = JSON.stringify({ ...document, servers: here });
  return { text, etag: weakTag(text) };
}
