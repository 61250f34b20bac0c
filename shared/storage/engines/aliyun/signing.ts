import { createHmac } from 'node:crypto';
import type { DirectUpload } from '../../engine.ts';
import type { AliyunSettings } from './settings.ts';

type Fields = Record<string, string>;

/**
 * The fields of a PostObject form for one new object of one size and type. The signed policy pins every important
 * field, because OSS accepts other fields from the client.
 */
export function createPostForm(settings: AliyunSettings, upload: DirectUpload, now = new Date()): Fields {
  const { key, contentType, sizeBytes, expiresAt } = upload;
  const pinned: Fields = {
    key,
    // Overrides the type of the file's part; `Content-Type` does not.
    'x-oss-content-type': contentType,
    'x-oss-forbid-overwrite': 'true',
    // Overrides the request's header of this name, which no policy covers.
    'x-oss-object-acl': 'default',
    success_action_status: '200',
  };
  const signer = settings.region === '' ? signByVersion1(settings) : signByVersion4(settings, now);
  const conditions = [
    { bucket: settings.bucket },
    ...Object.entries(signer.pinned).map(([name, value]) => ({ [name]: value })),
    ['content-length-range', sizeBytes, sizeBytes],
    ...Object.entries(pinned).map(([name, value]) => ['eq', `$${name}`, value]),
  ];
  const expiration = new Date(expiresAt * 1000).toISOString();
  const policy = Buffer.from(JSON.stringify({ expiration, conditions })).toString('base64');
  return { ...pinned, ...signer.pinned, policy, ...signer.sign(policy) };
}

interface PolicySigner {
  /** Further fields that the policy must pin. */
  pinned: Fields;
  sign(policy: string): Fields;
}

const hmac = (algorithm: string, key: string | Buffer, text: string) =>
  createHmac(algorithm, key).update(text).digest();

const signByVersion1 = ({ access_key, secret_key }: AliyunSettings): PolicySigner => ({
  pinned: {},
  sign: (policy) => ({
    OSSAccessKeyId: access_key,
    Signature: hmac('sha1', secret_key, policy).toString('base64'),
  }),
});

function signByVersion4({ access_key, secret_key, region }: AliyunSettings, now: Date): PolicySigner {
  const date = now.toISOString().replace(/[-:]|\.\d+/g, '');
  const scope = [date.slice(0, 8), region.replace(/^oss-/, ''), 'oss', 'aliyun_v4_request'];
  return {
    pinned: {
      'x-oss-signature-version': 'OSS4-HMAC-SHA256',
      'x-oss-credential': [access_key, ...scope].join('/'),
      'x-oss-date': date,
    },
    sign(policy) {
      const texts = [...scope, policy];
      const signature = texts.reduce<string | Buffer>(
        (key, text) => hmac('sha256', key, text),
        `aliyun_v4${secret_key}`,
      );
      return { 'x-oss-signature': signature.toString('hex') };
    },
  };
}
