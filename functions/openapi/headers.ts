import { type Locale, locales } from '#shared/i18n/locale.ts';
import { type Json, mapValues, refer } from './json-schema.ts';

type Header = readonly [zh_CN: string, en: string, schema: Json];

const text = { type: 'string' };
const count = { type: 'integer', minimum: 0 };

const answerHeaders: Record<string, Header> = {
  'x-request-id': [
    '请求编号，与正文中的 request_id 相同',
    'ID of the request, `request_id` in the body',
    text,
  ],
  'content-language': ['消息的语言', 'Language of the messages', { type: 'string', enum: ['zh-CN', 'en'] }],
  etag: ['内容的版本，用于 If-None-Match', 'Version of the content, for `If-None-Match`', text],
  'cache-control': ['缓存规则', 'How the answer may be cached', text],
  vary: ['影响内容的请求头', 'Request headers that the content depends on', text],
  'ratelimit-limit': ['一个时间窗内的次数上限', 'Allowed requests in one window', count],
  'ratelimit-remaining': ['时间窗内的剩余次数', 'Remaining requests in the window', count],
  'ratelimit-reset': ['多少秒后恢复', 'Seconds until the window ends', count],
  'retry-after': ['多少秒后可以重试', 'Seconds to wait before the next try', count],
  'www-authenticate': ['登录方式（RFC 6750）', 'How to authenticate (RFC 6750)', text],
  'accept-ranges': ['支持按字节范围获取', 'Byte ranges are supported', { const: 'bytes' }],
  'content-range': ['返回的字节范围和总大小', 'Range of bytes in the answer, and the total size', text],
  location: ['跳转的地址', 'Where to go', text],
  'last-modified': ['最后修改时间', 'Time of the last change', text],
};

const requestHeaders: Record<string, Header> = {
  'X-Language': [
    '消息的语言，优先于 Accept-Language',
    'Language of the messages; has priority over `Accept-Language`',
    { type: 'string', enum: locales },
  ],
  'If-None-Match': [
    '上次得到的 ETag，内容未变时返回 304',
    'The last received `ETag`: answers 304 if the content has not changed',
    text,
  ],
  'If-Range': ['ETag 相同时才按 Range 返回', 'Applies `Range` only if the `ETag` is this one', text],
  Range: ['字节范围，如 bytes=0-1023', 'Range of bytes, such as `bytes=0-1023`', text],
};

const describe = ([zh_CN, en, schema]: Header, locale: Locale) => ({
  description: { zh_CN, en }[locale],
  schema,
});

/** All described headers of answers, for `components`. */
export const describeHeaders = (locale: Locale): Json =>
  mapValues(answerHeaders, (header) => describe(header, locale));

/** All described request headers, for `components`. */
export const describeRequestHeaders = (locale: Locale): Json =>
  mapValues(requestHeaders, (header, name) => ({
    name,
    in: 'header',
    required: false,
    ...describe(header, locale),
  }));

/** References to headers of an answer. */
export const referToHeaders = (names: readonly string[]): Json =>
  Object.fromEntries(names.map((name) => [name, refer('headers', name)]));
