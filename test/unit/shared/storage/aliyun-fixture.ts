import { createEngine as createAliyunEngine } from '#shared/storage/engines/aliyun/engine.ts';
import type { AliyunSettings } from '#shared/storage/engines/aliyun/settings.ts';
import { toUpload } from '../../../contract/storage/direct-upload.ts';
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

/** The service with the keys of {@link settings}, at a domain bound to the bucket. */
export function startOss(rules: Partial<AliyunOssRules> = {}): Promise<AliyunOssDouble> {
  const { bucket, access_key, secret_key } = settings;
  return startAliyunOss({ bucket, keys: { [access_key]: secret_key }, ...rules });
}

export const engineFor = (domain: string, changes: Partial<AliyunSettings> = {}) =>
  createAliyunEngine({ ...settings, domain, ...changes });

export const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47]);
export const upload = (key: string, sizeBytes = png.length) => toUpload({ key, sizeBytes });
