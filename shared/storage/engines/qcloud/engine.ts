import { settleAll } from '#shared/async/settle-all.ts';
import type { Answer } from '#shared/net/exchange.ts';
import { type BucketEngine, notConfigured, ObjectExistsError, type OpenOptions } from '../../engine.ts';
import { createCloudEngine } from '../cloud-engine.ts';
import { bringsRange, openEndpoint, toPath, toRangeHeader } from '../cloud-requests.ts';
import { requireSettings } from '../cloud-settings.ts';
import { codeOf, createSend, expectStatus, fail, maxDocumentBytes } from './calls.ts';
import { type QcloudSettings, qcloud } from './settings.ts';
import { type CosAccount, signForm, signLink } from './signing.ts';

/** Ignored by buckets that keep versions, or did. */
const forbidOverwrite = { 'x-cos-forbid-overwrite': 'true' };

/**
 * Tencent Cloud Object Storage (COS). Clients send files to a staging key; `finalise` copies them to their final key.
 * If a bucket keeps versions, or did, COS overwrites objects: then two writers of one key may both succeed.
 *
 * @throws AppError `storage.not_configured`; `storage.unavailable` for a denied endpoint
 */
export function createEngine(settings: QcloudSettings, options: OpenOptions = {}): BucketEngine {
  const account = toAccount(settings);
  const send = createSend(account);
  const copy = createCopy(account, send);

  async function stat(deadline: number, key: string): Promise<CosObject | undefined> {
    const answer = await send({ deadline, method: 'HEAD', key });
    return answer.status === 404 ? undefined : toObject(answer);
  }

  async function remove(deadline: number, key: string): Promise<void> {
    // COS answers 204 for a missing object; 404 is a missing bucket.
    expectStatus(204, 'DELETE', await send({ deadline, method: 'DELETE', key }));
  }

  /** Copies the staged object to its final key. The caller checks the size of the copy, which cannot change. */
  async function copyStaged(deadline: number, key: string): Promise<CosObject | undefined> {
    const sent = await stat(deadline, toStagingKey(key));
    const isCopied = sent && (await copy(deadline, key, sent));
    // Another call may have finalised the upload meanwhile.
    return isCopied ? sent : stat(deadline, key);
  }

  return createCloudEngine(settings.domain, options, {
    async put(deadline, key, body, contentType) {
      // For buckets that would overwrite it.
      if (await stat(deadline, key)) throw new ObjectExistsError();
      const headers = { 'content-type': contentType, ...forbidOverwrite };
      const answer = await send({ deadline, method: 'PUT', key, headers, body });
      if (answer.status === 409 && codeOf(answer) === 'FileAlreadyExists') throw new ObjectExistsError();
      if (!expectStatus(200, 'PUT', answer).headers.etag) fail('PUT', answer);
    },
    stat,
    async readSpan(deadline, key, span) {
      const headers = { range: toRangeHeader(span) };
      const maxBytes = Math.max(span.end - span.start, maxDocumentBytes);
      const answer = await send({ deadline, method: 'GET', key, headers, maxBytes });
      if (answer.status === 416) return new Uint8Array();
      const { bytes, headers: given } = expectStatus(206, 'GET', answer);
      return bringsRange(given['content-range'], bytes.length, span) ? bytes : fail('GET', answer);
    },
    async delete(deadline, key) {
      await settleAll([remove(deadline, key), remove(deadline, toStagingKey(key))]);
    },
    directTicket: async (_deadline, upload) => signForm(account, toStagingKey(upload.key), upload),
    signedUrl: async (key, link) => signLink(account, key, link),
    uploadOrigins: async () => [account.origin],
    async finalise(deadline, key) {
      const found = (await stat(deadline, key)) ?? (await copyStaged(deadline, key));
      if (found) await remove(deadline, toStagingKey(key));
      return found;
    },
  });
}

function toAccount(settings: QcloudSettings): CosAccount {
  requireSettings(qcloud, settings);
  const { bucket, region, endpoint } = settings;
  if (!/^[a-z\d-]+-\d+$/.test(bucket))
    throw notConfigured('the bucket of qcloud is not of the form name-appid');
  if (!/^[a-z\d-]+$/.test(region))
    throw notConfigured('the region of qcloud is invalid: use one such as ap-guangzhou');
  const { origin } = openEndpoint(endpoint || `${bucket}.cos.${region}.myqcloud.com`);
  return { ...settings, origin };
}

/**
 * The key of a direct upload until it is finalised. A form can overwrite as long as its ticket is valid, so no ticket
 * names a final key. A lifecycle rule of the bucket removes objects that are never finalised.
 */
const toStagingKey = (key: string): string => `staging/${key}`;

interface CosObject {
  sizeBytes: number;
  contentType: string;
  etag: string;
}

function toObject(answer: Answer): CosObject {
  const {
    etag,
    'content-type': contentType,
    'content-length': length,
  } = expectStatus(200, 'HEAD', answer).headers;
  if (!etag || !contentType || !length) return fail('HEAD', answer);
  return { sizeBytes: Number(length), contentType, etag };
}

/** Copies the staged object to its key. Returns false if the key exists, or the source is gone or changed. */
const createCopy =
  ({ bucket, region }: CosAccount, send: ReturnType<typeof createSend>) =>
  async (deadline: number, key: string, staged: CosObject): Promise<boolean> => {
    const headers = {
      'content-type': staged.contentType,
      'x-cos-copy-source': `${bucket}.cos.${region}.myqcloud.com${toPath(toStagingKey(key))}`,
      'x-cos-copy-source-if-match': staged.etag,
      // Other headers that the client's form set are not copied.
      'x-cos-metadata-directive': 'Replaced',
      ...forbidOverwrite,
    };
    const answer = await send({ deadline, method: 'PUT', key, headers });
    const refusal = `${answer.status} ${codeOf(answer)}`;
    if (refusal === '409 FileAlreadyExists' || refusal === '404 NoSuchKey') return false;
    // A copy may fail after its status was sent.
    return /<ETag>/.test(String(expectStatus(200, 'copy', answer).bytes)) || fail('copy', answer);
  };
