import { inspect } from 'node:util';
import { AppError } from '#shared/errors/app-error.ts';
import { createAliyunEngine } from '#shared/storage/engines/aliyun.ts';
import { createObjectPath } from '#shared/storage/naming/object-path.ts';
import type { AliyunSettings } from '#shared/storage/settings.ts';
import { type AliyunOssDouble, type AliyunOssRules, startAliyunOss } from '../../../doubles/aliyun-oss.ts';

export const settings: AliyunSettings = {
  bucket: 'files-of-a-site',
  access_key: 'LTAI0000000000000000test',
  secret_key: 'a-secret-of-thirty-characters',
  domain: 'https://files.example.com',
  endpoint: '',
  cname: false,
  path_style: false,
  region: '',
};

/** The service with the keys of {@link settings}, on a domain that is bound to the bucket. */
export function startOss(rules: Partial<AliyunOssRules> = {}): Promise<AliyunOssDouble> {
  const { bucket, access_key, secret_key } = settings;
  return startAliyunOss({ bucket, keys: { [access_key]: secret_key }, ...rules });
}

export const engineFor = (domain: string, changes: Partial<AliyunSettings> = {}, timeoutMs?: number) =>
  createAliyunEngine({ ...settings, domain, ...changes }, { timeoutMs });

export const newKey = () => createObjectPath({ type: 'image', ext: 'png' });
export const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47]);
export const upload = (key: string, sizeBytes = png.length) => ({
  key,
  contentType: 'image/png',
  sizeBytes,
  expiresAt: Math.floor(Date.now() / 1000) + 3600,
  ticket: 'a-ticket',
});

/** What an operation fails with: the code, and all that a log could hold of it. */
export async function failureOf(operation: () => unknown): Promise<{ code: string; text: string }> {
  try {
    await operation();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { code: error.code, text: inspect(error, { depth: null, showHidden: true }) };
  }
  throw new Error('the operation succeeded');
}
