import { type BucketEngine, ObjectExistsError, type OpenOptions } from '../../engine.ts';
import { mimeTypeOf } from '../../naming/object-path.ts';
import { createCloudEngine } from '../cloud-engine.ts';
import { toPublicUrl } from '../cloud-requests.ts';
import { requireSettings } from '../cloud-settings.ts';
import { type Call, call, createUploadForm, readUrlRange } from './calls.ts';
import { createFindHosts } from './regions.ts';
import { type QiniuSettings, qiniu } from './settings.ts';
import { createSigner } from './signing.ts';

/** Statuses of Kodo. */
const [ok, absent, exists] = [200, 612, 614];
/** How long signatures of our own requests are valid: clocks may differ. */
const ownSeconds = 600;
const soon = () => Math.floor(Date.now() / 1000) + ownSeconds;

/** Object storage of Qiniu (Kodo), read through `domain`, also if private. @throws AppError `storage.not_configured` */
export function createEngine(settings: QiniuSettings, options: OpenOptions = {}): BucketEngine {
  requireSettings(qiniu, settings);
  const signer = createSigner(settings);
  const findHosts = createFindHosts(settings);
  const toUrl = (key: string) => toPublicUrl(settings.domain, key);

  /** Calls the management API. */
  function manage(deadline: number, name: string, method: 'GET' | 'POST', path: string) {
    const at: Call['at'] = (origin) => {
      const url = new URL(path, origin);
      return { url: url.href, method, headers: signer.authorize(method, url) };
    };
    return call(findHosts, { name, service: 'rs', expected: [ok, absent], at }, deadline);
  }

  async function stat(deadline: number, key: string) {
    const { status, body } = await manage(deadline, 'stat', 'GET', signer.path('stat', key));
    if (status === absent) return undefined;
    const { fsize, mimeType } = body;
    if (typeof fsize !== 'number' || typeof mimeType !== 'string') {
      throw new Error('Qiniu answered stat without size and type');
    }
    return { sizeBytes: fsize, contentType: mimeType };
  }

  return createCloudEngine(settings.domain, options, {
    async put(deadline, key, bytes, contentType) {
      const rule = { key, sizeBytes: bytes.length, expiresAt: soon(), detectMime: 0 } as const;
      const form = createUploadForm({ token: signer.uploadToken(rule), key }, bytes, contentType);
      const at: Call['at'] = (origin) => ({ url: `${origin}/`, method: 'POST', ...form });
      const request = { name: 'an upload', service: 'up', expected: [ok, exists], at } as const;
      const { status, body } = await call(findHosts, request, deadline);
      if (status === exists) throw new ObjectExistsError(`${key} exists`);
      if (body.key !== key) throw new Error('Qiniu answered an upload with another key');
    },
    stat,
    readSpan: (deadline, key, span) => readUrlRange(signer.downloadUrl(toUrl(key), soon()), span, deadline),
    async delete(deadline, key) {
      await manage(deadline, 'delete', 'POST', signer.path('delete', key));
    },
    async directTicket(deadline, { key, sizeBytes, expiresAt }) {
      const [origin] = await findHosts('up', deadline);
      // The client's type is not used: Kodo finds it from the content, else from the names.
      const token = signer.uploadToken({ key, sizeBytes, expiresAt, detectMime: 1 });
      return { method: 'POST', url: `${origin}/`, headers: {}, fields: { key, token }, file_field: 'file' };
    },
    // Without the name: with one, Kodo sends an attachment, which browsers do not show.
    signedUrl: async (key, { expiresAt, query }) => signer.downloadUrl(toUrl(key), expiresAt, query),
    uploadOrigins: (deadline) => findHosts('up', deadline),
    // A ticket cannot overwrite, so only the type may be wrong: the client has influenced it.
    async finalise(deadline, key) {
      const found = await stat(deadline, key);
      const contentType = mimeTypeOf(key);
      if (found && contentType && found.contentType !== contentType) {
        await manage(deadline, 'chgm', 'POST', signer.mimePath(key, contentType));
      }
      return found;
    },
  });
}
