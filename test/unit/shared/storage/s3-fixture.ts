import type { S3Settings } from '#shared/storage/engines/s3/settings.ts';
import { type AmazonS3Double, startAmazonS3 } from '../../../doubles/amazon-s3.ts';

export const place = { bucket: 'files-of-a-site', region: 'ap-southeast-1' };
export const keys = { access_key: 'AKIAEXAMPLE', secret_key: 'a-secret-of-thirty-characters' };
/** Keys of a role. */
export const role = {
  accessKeyId: 'ASIAEXAMPLE',
  secret: 'a-secret-of-a-role',
  token: 'a-token-of-a-session',
};

export const given: S3Settings = {
  ...place,
  ...keys,
  domain: 'cdn.example.com',
  endpoint: '',
  path_style: false,
};

export const key = 'uploads/image/20250131/235959a1b2.png';
export const contentType = 'image/png';
export const cacheControl = 'public, max-age=86400';
export const hello = new TextEncoder().encode('hello');

/** The double, which knows both kinds of keys. */
export const startS3 = (): Promise<AmazonS3Double> =>
  startAmazonS3({
    ...place,
    keys: {
      [keys.access_key]: { secret: keys.secret_key },
      [role.accessKeyId]: { secret: role.secret, token: role.token },
    },
  });

export const settingsAt = ({ url, boundUrl }: AmazonS3Double): S3Settings => ({
  ...given,
  endpoint: url,
  domain: boundUrl,
});
