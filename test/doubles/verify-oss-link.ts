import { OssRefusal } from './oss-refusal.ts';
import { type OssRequest, signVersion1, signVersion4 } from './oss-signatures.ts';
import { mismatch, type OssGateway, secretOf } from './verify-oss.ts';

/**
 * Checks the signature in a URL (help.aliyun.com, "Include signatures in URLs" and "Include a V4 signature in a URL").
 *
 * @returns whether there is one
 * @throws OssRefusal if it is wrong, or has expired
 */
export function verifyOssLink(request: OssRequest, gateway: OssGateway): boolean {
  const { query } = request;
  if (query.has('Signature')) verifyVersion1(request, gateway);
  else if (query.has('x-oss-signature')) verifyVersion4(request, gateway);
  else return false;
  return true;
}

function verifyVersion1(request: OssRequest, gateway: OssGateway): void {
  const { query } = request;
  const expires = query.get('Expires') ?? '';
  const secret = secretOf(gateway, query.get('OSSAccessKeyId') ?? '');
  assertNotExpired(Number(expires) * 1000, gateway);
  // The moment stands in the place of the date. A reader sends no type.
  const signed = { ...request, headers: { date: expires } };
  if (signVersion1(signed, secret) !== query.get('Signature')) throw mismatch();
}

function verifyVersion4(request: OssRequest, gateway: OssGateway): void {
  const { query } = request;
  const read = (name: string) => query.get(`x-oss-${name}`) ?? '';
  const [keyId = '', day, region] = read('credential').split('/');
  const secret = secretOf(gateway, keyId);
  const date = read('date');
  const [, ...parts] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(date) ?? [];
  const [year = 0, month = 0, ...rest] = parts.map(Number);
  if (!date.startsWith(day ?? '-') || region !== gateway.region || !/^\d+$/.test(read('expires'))) {
    throw new OssRefusal(400, 'InvalidArgument', 'The signature is incomplete.', '0002-00000301');
  }
  assertNotExpired(Date.UTC(year, month - 1, ...rest) + Number(read('expires')) * 1000, gateway);
  const unsigned = new URLSearchParams([...query].filter(([name]) => name !== 'x-oss-signature'));
  const signed = { ...request, query: unsigned, headers: { 'x-oss-date': date } };
  if (signVersion4(signed, secret, gateway.region, [], isInUrl) !== read('signature')) throw mismatch();
}

const isInUrl = true;

function assertNotExpired(at: number, { now }: OssGateway): void {
  if (now() < at) return;
  throw new OssRefusal(403, 'AccessDenied', 'Request has expired.', '0002-00000069');
}
