import * as z from 'zod/mini';
import { environment } from '#shared/config/environment.ts';
import { hasTag, RawAnswer, rawAnswer } from '#shared/http/raw-answer.ts';
import { type Needs, web } from '#shared/http/route.ts';
import { type Locale, toLanguageTag } from '#shared/i18n/locale.ts';
import { Content, chooseEncoding } from '../hosting/content.ts';

const headerNames = ['content-language', 'etag', 'cache-control', 'vary'];

export default web.get({
  summary: { zh_CN: '接口描述（OpenAPI 3.1）', en: 'Description of the API (OpenAPI 3.1)' },
  data: rawAnswer,
  middleware: ['throttle:openapi'],
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
    const content = await rendered[locale];
    const headers: Record<string, string> = {
      'content-language': toLanguageTag(locale),
      'cache-control': 'public, no-cache',
      vary: 'Accept-Encoding, Accept-Language, X-Language, Origin',
      etag: content.etag,
    };
    if (hasTag(event.headers['if-none-match'], content.etag)) return new RawAnswer(304, headers);
    const encoding = chooseEncoding(event.headers['accept-encoding']);
    if (encoding !== 'identity') headers['content-encoding'] = encoding;
    headers['content-type'] = 'application/json; charset=utf-8';
    return new RawAnswer(200, headers, await content.encode(encoding));
  },
});

/** Answers of this process, by locale. */
const rendered: Partial<Record<Locale, Promise<Content>>> = {};

/** The document with the URL of this site, which the build does not know. */
async function render(load: Needs['documents'][Locale]): Promise<Content> {
  const { default: document } = await load();
  const servers = Array.isArray(document.servers) ? document.servers : [];
  const here = servers.map((server: object) => ({ ...server, url: environment().publicUrl }));
  return Content.fromText(JSON.stringify({ ...document, servers: here }));
}
