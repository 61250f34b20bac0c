import { settleAll } from '#shared/async/settle-all.ts';
import {
  notConfigured,
  ObjectExistsError,
  type OpenOptions,
  reportUnavailable,
  type StorageEngine,
  type StoredObject,
} from '../../engine.ts';
import { openEndpoint, toPublicUrl } from '../cloud-requests.ts';
import { defaultTimeoutMs, requireSettings } from '../cloud-settings.ts';
import { type CosCalls, createCalls } from './calls.ts';
import { type QcloudSettings, qcloud } from './settings.ts';
import { type CosAccount, signForm } from './signing.ts';

/**
 * Tencent Cloud Object Storage (COS). Clients send files to a staging key; `finalise` copies them to their final key.
 * If a bucket keeps versions, or did, COS overwrites objects: then two writers of one key may both succeed.
 *
 * @throws AppError `storage.not_configured` for settings that are missing or invalid, `storage.unavailable` for a
 *   denied endpoint
 */
export function createEngine(
  settings: QcloudSettings,
  { timeoutMs = defaultTimeoutMs }: OpenOptions = {},
): StorageEngine {
  const account = toAccount(settings);
  const { domain } = settings;

  const run = <Result>(work: (cos: CosCalls) => Promise<Result>): Promise<Result> =>
    reportUnavailable(() => work(createCalls(account, Date.now() + timeoutMs)));

  return {
    put: (key, bytes, contentType) =>
      run(async (cos) => {
        // For buckets that would overwrite it.
        if (await cos.head(key)) throw new ObjectExistsError();
        if (!(await cos.put(key, bytes, contentType))) throw new ObjectExistsError();
      }),
    stat: (key) => run(async (cos) => toStored(await cos.head(key))),
    readRange: (key, start, end) => run((cos) => cos.read(key, start, end)),
    delete: (key) =>
      run(async (cos) => void (await settleAll([cos.remove(key), cos.remove(toStagingKey(key))]))),
    directTicket: async (upload) => signForm(account, toStagingKey(upload.key), upload),
    finalise: (key) =>
      run(async (cos) => {
        const finalised = (await cos.head(key)) ?? (await copyStaged(cos, key));
        if (finalised) await cos.remove(toStagingKey(key));
        return toStored(finalised);
      }),
    publicUrl: (key) => toPublicUrl(domain, key),
  };
}

function toAccount(settings: QcloudSettings): CosAccount {
  requireSettings(qcloud, settings);
  const { bucket, region, access_key: secretId, secret_key: secretKey, endpoint } = settings;
  if (!/^[a-z\d-]+-\d+$/.test(bucket))
    throw notConfigured('the bucket of qcloud is not of the form name-appid');
  if (!/^[a-z\d-]+$/.test(region))
    throw notConfigured('the region of qcloud is invalid: use one such as ap-guangzhou');
  const { origin } = openEndpoint(endpoint || `${bucket}.cos.${region}.myqcloud.com`);
  return { bucket, region, secretId, secretKey, origin };
}

/**
 * The key of a direct upload until it is finalised. A form can overwrite as long as its ticket is valid, so no ticket
 * names a final key. A lifecycle rule of the bucket removes objects that are never finalised.
 */
const toStagingKey = (key: string): string => `staging/${key}`;

/** Copies the staged object to its final key. The caller checks the size of the copy, which cannot change. */
async function copyStaged(cos: CosCalls, key: string) {
  const sent = await cos.head(toStagingKey(key));
  const isCopied = sent && (await cos.copy(toStagingKey(key), key, sent));
  // Another call may have finalised the upload meanwhile.
  return isCopied ? sent : cos.head(key);
}

const toStored = (found?: StoredObject): StoredObject | undefined => found && { sizeBytes: found.sizeBytes };
