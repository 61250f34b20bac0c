import { mimeTypes } from '#shared/config/upload.ts';
import { ObjectExistsError, type StorageEngine } from '../engine.ts';
import { notConfigured, unavailable } from '../failures.ts';
import { type CloudOptions, defaultTimeoutMs, type QiniuSettings } from '../settings.ts';
import { createKodo } from './qiniu/kodo.ts';
import { toOrigin } from './qiniu/origins.ts';
import { readUrlRange } from './qiniu/read-range.ts';

const required = ['bucket', 'access_key', 'secret_key', 'domain'] as const;

/**
 * Object storage of Qiniu (Kodo). Files are read through `domain`, those of private buckets too.
 *
 * @throws AppError `storage.not_configured` when a setting is missing
 */
export function createQiniuEngine(settings: QiniuSettings, options: CloudOptions = {}): StorageEngine {
  const { timeoutMs = defaultTimeoutMs } = options;
  const missing = required.filter((name) => !settings[name]);
  if (missing.length > 0) throw notConfigured(`qiniu: ${missing.join(', ')}`);
  const kodo = createKodo(settings);
  const domain = toOrigin(settings.domain, true);
  const publicUrl = (key: string) => `${domain}/${key.split('/').map(encodeURIComponent).join('/')}`;

  async function within<Result>(work: (deadline: number) => Promise<Result>): Promise<Result> {
    try {
      return await work(Date.now() + timeoutMs);
    } catch (error) {
      throw error instanceof ObjectExistsError ? error : unavailable(error);
    }
  }

  return {
    name: 'qiniu',
    publicUrl,
    put: (key, bytes, contentType) => within((deadline) => kodo.upload(key, bytes, contentType, deadline)),
    stat: (key) =>
      within(async (deadline) => {
        const found = await kodo.stat(key, deadline);
        return found && { sizeBytes: found.sizeBytes };
      }),
    readRange: (key, start, end) =>
      within((deadline) => readUrlRange(kodo.downloadUrl(publicUrl(key)), start, end, deadline)),
    delete: (key) => within((deadline) => kodo.delete(key, deadline)),
    directTicket: (upload) => within((deadline) => kodo.ticket(upload, deadline)),
    // Tickets only ever add: what lies at the key stays as it is but for its type, which the client had a say in.
    settle: (key) =>
      within(async (deadline) => {
        const found = await kodo.stat(key, deadline);
        const contentType = typeOf(key);
        if (found && contentType && found.contentType !== contentType) {
          await kodo.setType(key, contentType, deadline);
        }
        return found && { sizeBytes: found.sizeBytes };
      }),
  };
}

/** The MIME type of a key's extension. */
function typeOf(key: string): string | undefined {
  return Object.entries(mimeTypes).find(([extension]) => key.endsWith(`.${extension}`))?.[1];
}
