import type { Locale } from '#shared/i18n/locale.ts';
import type { LocalisedText } from '#shared/schema/component.ts';
import type { Json } from './json-schema.ts';

interface Header {
  description: LocalisedText;
  schema: Json;
}

const text = { type: 'string' };
const count = { type: 'integer', minimum: 0 };

/** Headers of answers that clients may use. */
const headers = {
  'x-request-id': {
    description: {
      zh_CN: '请求编号，与正文中的 request_id 相同',
      en: 'ID of the request, `request_id` in the body',
    },
    schema: text,
  },
  'content-language': {
    description: { zh_CN: '消息的语言', en: 'Language of the messages' },
    schema: { type: 'string', enum: ['zh-CN', 'en'] },
  },
  etag: {
    description: {
      zh_CN: '内容的版本，用于 If-None-Match',
      en: 'Version of the content, for `If-None-Match`',
    },
    schema: text,
  },
  'cache-control': {
    description: { zh_CN: '缓存规则', en: 'How the answer may be cached' },
    schema: text,
  },
  vary: {
    description: { zh_CN: '影响内容的请求头', en: 'Headers that the content depends on' },
    schema: text,
  },
  'ratelimit-limit': {
    description: { zh_CN: '一个时间窗内的次数上限', en: 'Requests of one window' },
    schema: count,
  },
  'ratelimit-remaining': {
    description: { zh_CN: '时间窗内的剩余次数', en: 'Requests that are left of the window' },
    schema: count,
  },
  'ratelimit-reset': {
    description: { zh_CN: '多少秒后恢复', en: 'Seconds until requests are free again' },
    schema: count,
  },
  'retry-after': {
    description: { zh_CN: '多少秒后可以重试', en: 'Seconds to wait before the next try' },
    schema: count,
  },
  'www-authenticate': {
    description: { zh_CN: '登录方式（RFC 6750）', en: 'How to authenticate (RFC 6750)' },
    schema: text,
  },
  'accept-ranges': {
    description: { zh_CN: '支持按字节范围获取', en: 'Ranges are taken, in bytes' },
    schema: { const: 'bytes' },
  },
  'content-range': {
    description: {
      zh_CN: '返回的字节范围和总大小',
      en: 'Range of bytes that is answered, and the whole size',
    },
    schema: text,
  },
  'last-modified': { description: { zh_CN: '最后修改时间', en: 'Time of the last change' }, schema: text },
} as const satisfies Record<string, Header>;

/** Every described header, for `components`. */
export function describeHeaders(locale: Locale): Json {
  return Object.fromEntries(
    Object.entries(headers).map(([name, { description, schema }]) => [
      name,
      { description: description[locale], schema },
    ]),
  );
}

/** References to headers, for an answer. */
export function referToHeaders(names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
