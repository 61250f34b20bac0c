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
 * Tencent Cloud Object Storage. Clients send files to a staging key; `settle` copies them to their own. If a
 * bucket keeps versions, or did, COS does not refuse to overwrite: two writers of one key at the same moment
 * may then both succeed.
 *
 * @throws AppError `storage.not_configured` for settings that are missing or have the wrong form,
 * `storage.unavailable` for an endpoint that may not be reached
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
        // For buckets that do not refuse by themselves.
        if (await cos.head(key)) throw new ObjectExistsError();
        if (!(await cos.put(key, bytes, contentType))) throw new ObjectExistsError();
      }),
    stat: (key) => run(async (cos) => toStored(await cos.head(key))),
    readRange: (key, start, end) => run((cos) => cos.read(key, start, end)),
    delete: (key) =>
      run(async (cos) => {
        await settleAll([cos.remove(key), cos.remove(toStagingKey(key))]);
      }),
    directTicket: async (upload) => signForm(account, toStagingKey(upload.key), upload),
    settle: (key) =>
      run(async (cos) => {
        const settled = (await cos.head(key)) ?? (await copyStaged(cos, key));
        if (settled) await cos.remove(toStagingKey(key));
        return toStored(settled);
      }),
    publicUrl: (key) => toPublicUrl(domain, key),
  };
}

function toAccount(settings: QcloudSettings): CosAccount {
  requireSettings(qcloud, settings);
  const { bucket, region, access_key: secretId, secret_key: secretKey, endpoint } = settings;
  if (!/^[a-z\d-]+-\d+$/.test(bucket)) throw notConfigured('the bucket of qcloud is not a name-appid');
  if (!/^[a-z\d-]+$/.test(region)) throw notConfigured('the region of qcloud is not one, as ap-guangzhou');
  const { origin } = openEndpoint(endpoint || `${bucket}.cos.${region}.myqcloud.com`);
  return { bucket, region, secretId, secretKey, origin };
}

/**
 * Where a direct upload lies until it is settled. A form can overwrite as long as its ticket is valid, so no
 * ticket names a final key. A lifecycle rule of the bucket removes what is never settled.
 */
const toStagingKey = (key: string): string => `staging/${key}`;

/** Copies what was sent to its own key, of any size: the caller checks the copy, which cannot change. */
async function copyStaged(cos: CosCalls, key: string) {
  const sent = await cos.head(toStagingKey(key));
  const isCopied = sent && (await cos.copy(toStagingKey(key), key, sent));
  // Another call may have settled it meanwhile.
  return isCopied ? sent : cos.head(key);
}

function toStored(found: StoredObject | undefined): StoredObject | undefined {
  return found && { sizeBytes: found.sizeBytes };
}
