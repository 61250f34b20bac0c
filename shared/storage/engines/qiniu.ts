import { toPublicUrl } from '../addresses.ts';
import type { StorageEngine } from '../engine.ts';
import { reportUnavailable } from '../failures.ts';
import { mimeTypeOf } from '../naming/mime-type.ts';
import { type CloudOptions, defaultTimeoutMs, type QiniuSettings, requireSettings } from '../settings.ts';
import { createKodo } from './qiniu/kodo.ts';
import { readUrlRange } from './qiniu/read-range.ts';

/**
 * Object storage of Qiniu (Kodo). Files are read through `domain`, those of private buckets too.
 *
 * @throws AppError `storage.not_configured` when a setting is missing
 */
export function createQiniuEngine(settings: QiniuSettings, options: CloudOptions = {}): StorageEngine {
  const { timeoutMs = defaultTimeoutMs } = options;
  requireSettings('qiniu', settings);
  const kodo = createKodo(settings);
  const publicUrl = (key: string) => toPublicUrl(settings.domain, key);
  const within = <Result>(work: (deadline: number) => Promise<Result>): Promise<Result> =>
    reportUnavailable(() => work(Date.now() + timeoutMs));

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
      within((deadline) => readUrlRange(kodo.downloadUrl(publicUrl(key)), { start, end }, deadline)),
    delete: (key) => within((deadline) => kodo.delete(key, deadline)),
    directTicket: (upload) => within((deadline) => kodo.ticket(upload, deadline)),
    // Tickets only ever add: what lies at the key stays as it is but for its type, which the client had a say in.
    settle: (key) =>
      within(async (deadline) => {
        const found = await kodo.stat(key, deadline);
        const contentType = mimeTypeOf(key);
        if (found && contentType && found.contentType !== contentType) {
          await kodo.setType(key, contentType, deadline);
        }
        return found && { sizeBytes: found.sizeBytes };
      }),
  };
}
