import { type DirectTicket, type DirectUpload, ObjectExistsError } from '../../engine.ts';
import type { QiniuSettings } from '../../settings.ts';
import { type Call, call } from './call.ts';
import { createUploadForm } from './form.ts';
import { createFindHosts } from './hosts.ts';
import { createSigner } from './signer.ts';

/** What Kodo knows of an object. */
export interface KodoObject {
  sizeBytes: number;
  contentType: string;
}

/** What the engine needs of one bucket; each call gives up at its deadline, in milliseconds since 1970. */
export interface Kodo {
  /** @throws ObjectExistsError when other content lies at the key */
  upload(key: string, bytes: Uint8Array, contentType: string, deadline: number): Promise<void>;
  /** Undefined where there is none. */
  stat(key: string, deadline: number): Promise<KodoObject | undefined>;
  /** It is well where there is none. */
  delete(key: string, deadline: number): Promise<void>;
  /** Changes the MIME type that an object is served as. */
  setType(key: string, contentType: string, deadline: number): Promise<void>;
  /** Lets a client add one object, and that once. */
  ticket(upload: DirectUpload, deadline: number): Promise<DirectTicket>;
  /** `url` with a signature that is good for minutes. */
  downloadUrl(url: string): string;
}

const [ok, absent, exists] = [200, 612, 614];
/** How long what is signed for this service itself is good: as wrong as a clock may be. */
const ownSeconds = 600;
const soon = () => Math.floor(Date.now() / 1000) + ownSeconds;

/** Kodo, reached by an operator's settings. */
export function createKodo(settings: QiniuSettings): Kodo {
  const signer = createSigner(settings);
  const findHosts = createFindHosts(settings);

  /** A call to the management API. */
  function manage(name: string, method: 'GET' | 'POST', path: string, deadline: number) {
    const at: Call['at'] = (origin) => {
      const url = new URL(path, origin);
      return { url: url.href, method, headers: signer.authorize(method, url) };
    };
    return call(findHosts, { name, service: 'rs', expected: [ok, absent], at }, deadline);
  }

  return {
    async upload(key, bytes, contentType, deadline) {
      const rule = { key, sizeBytes: bytes.length, expiresAt: soon(), detectMime: 0 } as const;
      const form = createUploadForm({ token: signer.uploadToken(rule), key }, bytes, contentType);
      const at: Call['at'] = (origin) => ({ url: `${origin}/`, method: 'POST', ...form });
      const request = { name: 'an upload', service: 'up', expected: [ok, exists], at } as const;
      const { status, body } = await call(findHosts, request, deadline);
      if (status === exists) throw new ObjectExistsError(`an object lies at ${key}`);
      if (body.key !== key) throw new Error('Qiniu answered an upload with another key');
    },
    async stat(key, deadline) {
      const { status, body } = await manage('stat', 'GET', signer.path('stat', key), deadline);
      if (status === absent) return undefined;
      const { fsize, mimeType } = body;
      if (typeof fsize !== 'number' || typeof mimeType !== 'string') {
        throw new Error('Qiniu answered stat without size and type');
      }
      return { sizeBytes: fsize, contentType: mimeType };
    },
    async delete(key, deadline) {
      await manage('delete', 'POST', signer.path('delete', key), deadline);
    },
    async setType(key, contentType, deadline) {
      await manage('chgm', 'POST', signer.mimePath(key, contentType), deadline);
    },
    async ticket({ key, sizeBytes, expiresAt }, deadline) {
      const [origin] = await findHosts('up', deadline);
      // So the type that a client claims is not taken: its content tells, else its name, else the key.
      const token = signer.uploadToken({ key, sizeBytes, expiresAt, detectMime: 1 });
      return { url: `${origin}/`, headers: {}, fields: { key, token }, file_field: 'file' };
    },
    downloadUrl: (url) => signer.downloadUrl(url, soon()),
  };
}
