import { inspect } from 'node:util';
import type { DirectUpload, StorageEngine } from '#shared/storage/engine.ts';
import { createObjectPath } from '#shared/storage/naming/object-path.ts';
import type { QiniuSettings } from '#shared/storage/settings.ts';
import { type QiniuKodoDouble, type QiniuKodoRules, startQiniuKodo } from '../../../doubles/qiniu-kodo.ts';

export const keys = {
  bucket: 'Old_bucket',
  access_key: 'access-key-of-the-operator-0123456789',
  secret_key: 'secret-key-of-the-operator-0123456789',
};

/** Settings of the account whose services are all at one host. */
export function toSettings(host: string, change: Partial<QiniuSettings> = {}): QiniuSettings {
  const hosts = { region: '', up_host: host, rs_host: host, uc_host: '', https: false } as const;
  return { ...keys, domain: `http://${host}`, ...hosts, ...change };
}

export function startKodo(rules: Partial<QiniuKodoRules> = {}): Promise<QiniuKodoDouble> {
  const { bucket, access_key: accessKey, secret_key: secretKey } = keys;
  return startQiniuKodo({ bucket, accessKey, secretKey, ...rules });
}

export const newKey = () => createObjectPath({ type: 'image', ext: 'png' });
export const png = Buffer.from('\x89PNG\r\n\x1a\n, and so on', 'latin1');

export function toUpload(change: Partial<DirectUpload> = {}): DirectUpload {
  const expiresAt = Math.floor(Date.now() / 1000) + 3600;
  const size = { contentType: 'image/png', sizeBytes: png.length };
  return { key: newKey(), ...size, expiresAt, ticket: 'a-ticket', ...change };
}

/** Every operation that goes over the network. */
export const operations: [name: string, run: (engine: StorageEngine) => Promise<unknown>][] = [
  ['put', (engine) => engine.put(newKey(), png, 'image/png')],
  ['stat', (engine) => engine.stat(newKey())],
  ['settle', (engine) => engine.settle(newKey(), 1)],
  ['delete', (engine) => engine.delete(newKey())],
  ['readRange', (engine) => engine.readRange(newKey(), 0, 10)],
];

/** The failure of a call, with everything that a log could show of it. */
export async function failOf(work: Promise<unknown>): Promise<{ code: unknown; text: string }> {
  const error: unknown = await work.then(
    (result) => ({ code: 'none', result }),
    (reason: unknown) => reason,
  );
  const { code } = error as { code?: unknown };
  return { code, text: inspect(error, { depth: 10, showHidden: true }) };
}
