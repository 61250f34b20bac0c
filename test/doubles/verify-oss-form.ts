import { createHmac } from 'node:crypto';
import { OssRefusal } from './oss-refusal.ts';
import { deriveKey } from './oss-signatures.ts';
import { mismatch, type OssGateway, secretOf } from './verify-oss.ts';

const dayMs = 86_400_000;

/**
 * Checks the signature of a form's policy.
 *
 * @param fields by names in lower case
 * @throws OssRefusal if it is not signed correctly
 */
export function verifyOssForm(
  fields: Map<string, string>,
  gateway: OssGateway,
): { policy: string; isVersion4: boolean } {
  const isVersion4 = fields.has('x-oss-signature-version');
  const proof = isVersion4
    ? ['x-oss-credential', 'x-oss-date', 'x-oss-signature']
    : ['ossaccesskeyid', 'signature'];
  const policy = fields.get('policy');
  if (!policy && !isVersion4 && !proof.some((name) => fields.has(name))) {
    throw new OssRefusal(
      403,
      'AccessDenied',
      'You have no right to access this object because of bucket acl.',
    );
  }
  const missing = ['policy', ...proof].find((name) => !fields.get(name));
  if (missing || !policy) throw new OssRefusal(400, 'InvalidArgument', `The ${missing} field is missing.`);
  if (isVersion4) verifyVersion4(fields, policy, gateway);
  else verifyVersion1(fields, policy, gateway);
  return { policy, isVersion4 };
}

function verifyVersion1(fields: Map<string, string>, policy: string, gateway: OssGateway): void {
  const secret = secretOf(gateway, fields.get('ossaccesskeyid') ?? '');
  const signature = createHmac('sha1', secret).update(policy).digest('base64');
  if (signature !== fields.get('signature')) throw mismatch();
}

function verifyVersion4(fields: Map<string, string>, policy: string, gateway: OssGateway): void {
  const [keyId = '', ...scope] = (fields.get('x-oss-credential') ?? '').split('/');
  const secret = secretOf(gateway, keyId);
  const date = fields.get('x-oss-date') ?? '';
  const [, day = '', time = ''] = /^(\d{8})T(\d{6})Z$/.exec(date) ?? [];
  if (scope.join('/') !== `${day}/${gateway.region}/oss/aliyun_v4_request`) {
    throw new OssRefusal(400, 'InvalidArgument', 'The x-oss-credential field is invalid.', '0002-00000710');
  }
  const digits = /^(....)(..)(..)(..)(..)(..)$/.exec(day + time)?.slice(1) ?? [];
  const [year = 0, month = 0, ...rest] = digits.map(Number);
  const ageMs = gateway.now() - Date.UTC(year, month - 1, ...rest);
  if (ageMs > 7 * dayMs || ageMs < -15 * 60_000) throw policyRefusal('Policy expired.', '0006-00000225');
  const signature = createHmac('sha256', deriveKey(secret, scope)).update(policy).digest('hex');
  if (signature !== fields.get('x-oss-signature')) throw mismatch();
}

export function policyRefusal(message: string, ec: string): OssRefusal {
  return new OssRefusal(403, 'AccessDenied', `Invalid according to Policy: ${message}`, ec);
}
