import * as z from 'zod/mini';
import { credential } from '#shared/schema/line.ts';
import { setting } from '#shared/settings/group.ts';

/** A URL, or a host with or without a port. */
export const hostOrUrl = z.union([
  z.literal(''),
  z.string().check(z.trim(), z.maxLength(200), z.regex(/^(https?:\/\/)?[A-Za-z0-9.-]+(:\d{1,5})?\/?$/)),
]);
export const optionalUrl = z.union([
  z.literal(''),
  z.string().check(z.trim(), z.maxLength(200), z.regex(/^https?:\/\/[A-Za-z0-9.-]+(:\d{1,5})?\/?$/)),
]);
/** A part of a host's name. */
export const hostLabel = z.union([
  z.literal(''),
  z.string().check(z.trim(), z.regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/)),
]);

export const accessKey = setting({
  schema: credential(200),
  default: '',
  description: { zh_CN: 'AccessKey / SecretId', en: 'Access key or SecretId' },
});
export const secretKey = setting({
  schema: credential(200),
  default: '',
  secret: true,
  description: { zh_CN: 'SecretKey', en: 'Secret key' },
});
/** The bucket's name. */
export const bucket = setting({
  schema: hostLabel,
  default: '',
  description: { zh_CN: '存储空间名称（Bucket）', en: 'Bucket' },
});

/** What file URLs begin with. */
export const domain = setting({
  schema: hostOrUrl,
  default: '',
  // Files are read through it, and some engines send what they sign there.
  endpoint: true,
  description: {
    zh_CN: '访问域名，例如 https://cdn.example.com',
    en: 'What file URLs begin with, as https://cdn.example.com',
  },
});
