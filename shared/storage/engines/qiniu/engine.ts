import { ObjectExistsError, type OpenOptions, reportUnavailable, type StorageEngine } from '../../engine.ts';
import { mimeTypeOf } from '../../naming/object-path.ts';
import { toPublicUrl } from '../cloud-requests.ts';
import { defaultTimeoutMs, requireSettings } from '../cloud-settings.ts';
import { type Call, call, createUploadForm, readUrlRange } from './calls.ts';
import { createFindHosts, type FindHosts } from './regions.ts';
import { type QiniuSettings, qiniu } from './settings.ts';
import { createSigner, type Signer } from './signing.ts';

/** Statuses of Kodo. */
const [ok, absent, exists] = [200, 612, 614];
/** How long signatures of our own requests are valid: clocks may differ. */
const ownSeconds = 600;
const soon = () => Math.floor(Date.now() / 1000) + ownSeconds;

/**
 * Object storage of Qiniu (Kodo). Files are read through `domain`, also from private buckets.
 *
 * @throws AppError `storage.not_configured` if a setting is missing
 */
export function createEngine(
  settings: QiniuSettings,
  { timeoutMs = defaultTimeoutMs }: OpenOptions = {},
): StorageEngine {
  requireSettings(qiniu, settings);
  const signer = createSigner(settings);
  const findHosts = createFindHosts(settings);
  const { upload, stat, remove, setType } = createCalls(signer, findHosts);
  const publicUrl = (key: string) => toPublicUrl(settings.domain, key);
  /** Every operation has one deadline, in milliseconds since 1970. */
  const within = <Result>(work: (deadline: number) => Promise<Result>): Promise<Result> =>
    reportUnavailable(() => work(Date.now() + timeoutMs));

  return {
    publicUrl,
    put: (key, bytes, contentType) => within((deadline) => upload(key, bytes, contentType, deadline)),
    stat: (key) =>
      within(async (deadline) => {
        const found = await stat(key, deadline);
        return found && { sizeBytes: found.sizeBytes };
      }),
    readRange: (key, start, end) =>
      within((deadline) =>
        readUrlRange(signer.downloadUrl(publicUrl(key), soon()), { start, end }, deadline),
      ),
    delete: (key) => within((deadline) => remove(key, deadline)),
    directTicket: ({ key, sizeBytes, expiresAt }) =>
      within(async (deadline) => {
        const [origin] = await findHosts('up', deadline);
        // The client's type is not used: Kodo finds it from the content, else from the names.
        const token = signer.uploadToken({ key, sizeBytes, expiresAt, detectMime: 1 });
        return { url: `${origin}/`, headers: {}, fields: { key, token }, file_field: 'file' };
      }),
    // A ticket cannot overwrite, so only the type may be wrong: the client has influenced it.
    finalise: (key) =>
      within(async (deadline) => {
        const found = await stat(key, deadline);
        const contentType = mimeTypeOf(key);
        if (found && contentType && found.contentType !== contentType) {
          await setType(key, contentType, deadline);
        }
        return found && { sizeBytes: found.sizeBytes };
      }),
  };
}

function createCalls(signer: Signer, findHosts: FindHosts) {
  function manage(name: string, method: 'GET' | 'POST', path: string, deadline: number) {
    const at: Call['at'] = (origin) => {
      const url = new URL(path, origin);
      return { url: url.href, method, headers: signer.authorize(method, url) };
    };
    return call(findHosts, { name, service: 'rs', expected: [ok, absent], at }, deadline);
  }

  return {
    async upload(key: string, bytes: Uint8Array, contentType: string, deadline: number) {
      const rule = { key, sizeBytes: bytes.length, expiresAt: soon(), detectMime: 0 } as const;
      const form = createUploadForm({ token: signer.uploadToken(rule), key }, bytes, contentType);
      const at: Call['at'] = (origin) => ({ url: `${origin}/`, method: 'POST', ...form });
      const request = { name: 'an upload', service: 'up', expected: [ok, exists], at } as const;
      const { status, body } = await call(findHosts, request, deadline);
      if (status === exists) throw new ObjectExistsError(`${key} exists`);
      if (body.key !== key) throw new Error('Qiniu answered an upload with another key');
    },
    async stat(key: string, deadline: number) {
      const { status, body } = await manage('stat', 'GET', signer.path('stat', key), deadline);
      if (status === absent) return undefined;
      const { fsize, mimeType } = body;
      if (typeof fsize !== 'number' || typeof mimeType !== 'string') {
        throw new Error('Qiniu answered stat without size and type');
      }
      return { sizeBytes: fsize, contentType: mimeType };
    },
    async remove(key: string, deadline: number) {
      await manage('delete', 'POST', signer.path('delete', key), deadline);
    },
    async setType(key: string, contentType: string, deadline: number) {
      await manage('chgm', 'POST', signer.mimePath(key, contentType), deadline);
    },
  };
}
