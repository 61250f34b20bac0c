import type { DirectTicket, DirectUpload } from '../../engine.ts';
import type { CosAccount } from './account.ts';
import { signPolicy } from './sign.ts';

/**
 * Where a direct upload lies until it is settled. A form can overwrite for as long as its ticket is good, so
 * no ticket names a final key. What tickets leave here unsettled is for a lifecycle rule of the bucket.
 */
export const toStagingKey = (key: string): string => `staging/${key}`;

/** How far this clock may be ahead of that of COS, in seconds. */
const leewaySeconds = 60;

/** A form of "POST Object" for the staging key, that holds every field to its value. */
export function createDirectTicket(account: CosAccount, upload: DirectUpload): DirectTicket {
  const { bucket, secretId, origin } = account;
  const keyTime = `${Math.floor(Date.now() / 1000) - leewaySeconds};${upload.expiresAt}`;
  const pinned = {
    key: toStagingKey(upload.key),
    'Content-Type': upload.contentType,
    // Nobody has looked at the content yet: under a public domain it must not be shown as a page.
    'Content-Disposition': 'attachment',
    success_action_status: '200',
    'q-sign-algorithm': 'sha1',
    'q-ak': secretId,
  };
  const policy = JSON.stringify({
    expiration: new Date(upload.expiresAt * 1000).toISOString(),
    conditions: [
      { bucket },
      ...Object.entries(pinned).map(([name, value]) => ({ [name]: value })),
      { 'q-sign-time': keyTime },
      ['content-length-range', upload.sizeBytes, upload.sizeBytes],
    ],
  });
  const fields = {
    ...pinned,
    'q-key-time': keyTime,
    'q-signature': signPolicy(account, policy, keyTime),
    policy: Buffer.from(policy).toString('base64'),
  };
  return { url: `${origin}/`, headers: {}, fields, file_field: 'file' };
}
