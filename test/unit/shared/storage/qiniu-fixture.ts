import type { DirectUpload } from '#shared/storage/engine.ts';
import type { QiniuSettings } from '#shared/storage/engines/qiniu/settings.ts';
import { toUpload as toAnyUpload } from '../../../contract/storage/direct-upload.ts';
import { type QiniuKodoDouble, type QiniuKodoRules, startQiniuKodo } from '../../../doubles/qiniu-kodo.ts';

export const keys = {
  bucket: 'Old_bucket',
  access_key: 'access-key-of-the-operator-0123456789',
  secret_key: 'secret-key-of-the-operator-0123456789',
};

/** An account whose services have one host. */
export function toSettings(host: string, change: Partial<QiniuSettings> = {}): QiniuSettings {
  const hosts = { region: '', up_host: host, rs_host: host, uc_host: '', https: false } as const;
  return { ...keys, domain: `http://${host}`, ...hosts, ...change };
}

export function startKodo(rules: Partial<QiniuKodoRules> = {}): Promise<QiniuKodoDouble> {
  const { bucket, access_key: accessKey, secret_key: secretKey } = keys;
  return startQiniuKodo({ bucket, accessKey, secretKey, ...rules });
}

export const png = Buffer.from('\x89PNG\r\n\x1a\n, and so on', 'latin1');

export const toUpload = (change: Partial<DirectUpload> = {}): DirectUpload =>
  toAnyUpload({ sizeBytes: png.length, ...change });
