import type { IncomingMessage, ServerResponse } from 'node:http';
import type { EngineName } from '#shared/storage/engines.ts';
import { startAliyunOss } from './aliyun-oss.ts';
import { startAmazonS3 } from './amazon-s3.ts';
import { startQiniuKodo } from './qiniu-kodo.ts';
import { startTencentCos } from './tencent-cos.ts';

/** How a cloud fails: no answer, an error, half of an answer, or an answer lost after the work. */
export const troubles = ['hangs', 'fails', 'breaks off', 'loses its answer'] as const;
export type Trouble = (typeof troubles)[number];

/** A cloud's double as it is set up in the service. */
export interface Cloud {
  name: Exclude<EngineName, 'local'>;
  /** The settings of its group. */
  settings: Record<string, unknown>;
  /** The settings of a bucket for private files. */
  privateSettings: Record<string, unknown>;
  /** Keys of its objects, public and private. */
  keys(): string[];
  /**
   * Makes requests fail.
   *
   * @param isDue asked with the number of each request since then, from 0
   */
  disturb(trouble: Trouble, isDue: (index: number) => boolean): void;
  /** @returns how many requests came since it was disturbed */
  calm(): number;
  stop(): Promise<void>;
}

const secrets = { access_key: 'AKIDexample', secret_key: 'a-secret-of-thirty-characters' };
const keys = { [secrets.access_key]: secrets.secret_key };

/** The clouds, each of one bucket for public files and one for private ones. */
export const clouds = { aliyun: startAliyun, qcloud: startQcloud, qiniu: startQiniu, s3: startS3 };

async function startAliyun(): Promise<Cloud> {
  const bucket = 'files-of-a-site';
  const oss = await startAliyunOss({ bucket, keys });
  const private_bucket = 'private-files-of-a-site';
  const ofPrivate = await startAliyunOss({ bucket: private_bucket, keys, isPrivate: true });
  const { now, ...control } = createDisturbance();
  oss.interfere = (incoming, response) => isAnswered(now(), incoming, response);
  return {
    name: 'aliyun',
    settings: { bucket, ...secrets, domain: oss.boundUrl },
    privateSettings: { private_bucket, private_domain: ofPrivate.boundUrl },
    keys: () => [...oss.objects.keys(), ...ofPrivate.objects.keys()],
    ...control,
    stop: () => stopBoth(oss, ofPrivate),
  };
}

async function startQcloud(): Promise<Cloud> {
  const account = { bucket: 'examplebucket-1250000000', region: 'ap-guangzhou' };
  const cos = await startTencentCos({ ...account, keys });
  const private_bucket = 'secretbucket-1250000000';
  const ofPrivate = await startTencentCos({ ...account, bucket: private_bucket, keys, isPrivate: true });
  const { now, ...control } = createDisturbance();
  cos.misbehave = () => {
    const trouble = now();
    return trouble === 'fails' ? { status: 500, headers: {}, body: 'trouble' } : trouble;
  };
  return {
    name: 'qcloud',
    settings: { ...account, ...secrets, domain: cos.url, endpoint: cos.url },
    privateSettings: { private_bucket, private_domain: ofPrivate.url },
    keys: () => [...cos.objects.keys(), ...ofPrivate.objects.keys()],
    ...control,
    stop: () => stopBoth(cos, ofPrivate),
  };
}

async function startQiniu(): Promise<Cloud> {
  const bucket = 'files';
  const privateBucket = 'private_files';
  const { access_key: accessKey, secret_key: secretKey } = secrets;
  const kodo = await startQiniuKodo({ bucket, privateBucket, accessKey, secretKey });
  const { now, ...control } = createDisturbance();
  kodo.misbehave = (incoming, response) => isAnswered(now(), incoming, response);
  const hosts = { up_host: kodo.host, rs_host: kodo.host, https: false };
  return {
    name: 'qiniu',
    settings: { bucket, ...secrets, domain: kodo.url, ...hosts },
    privateSettings: { private_bucket: privateBucket, private_domain: kodo.privateUrl },
    keys: () => [...kodo.objects.keys(), ...kodo.privateObjects.keys()],
    ...control,
    stop: kodo.stop,
  };
}

async function startS3(): Promise<Cloud> {
  const place = { bucket: 'files-of-a-site', region: 'ap-southeast-1' };
  const { access_key, secret_key: secret } = secrets;
  const s3 = await startAmazonS3({ ...place, keys: { [access_key]: { secret } } });
  const { now, ...control } = createDisturbance();
  s3.misbehave = (incoming, response) => isAnswered(now(), incoming, response);
  return {
    name: 's3',
    settings: { ...place, ...secrets, domain: s3.boundUrl, endpoint: s3.url },
    privateSettings: { private_bucket: place.bucket },
    keys: () => [...s3.objects.keys()],
    ...control,
    stop: s3.stop,
  };
}

async function stopBoth(...doubles: { stop(): Promise<void> }[]): Promise<void> {
  for (const { stop } of doubles) await stop();
}

function createDisturbance() {
  let current: { trouble: Trouble; isDue(index: number): boolean } | undefined;
  let count = 0;
  return {
    disturb(trouble: Trouble, isDue: (index: number) => boolean) {
      count = 0;
      current = { trouble, isDue };
    },
    calm() {
      current = undefined;
      return count;
    },
    /** The trouble of the current request. */
    now(): Trouble | undefined {
      const isDue = current?.isDue(count);
      count += 1;
      return isDue ? current?.trouble : undefined;
    },
  };
}

/** Simulates a trouble; true if the request needs no other answer. */
function isAnswered(
  trouble: Trouble | undefined,
  incoming: IncomingMessage,
  response: ServerResponse,
): boolean {
  if (trouble === 'fails') {
    incoming.resume();
    response.writeHead(500, { 'content-type': 'text/plain', 'x-oss-request-id': 'AAAA' }).end('trouble');
  }
  if (trouble === 'loses its answer') response.end = () => response.destroy();
  if (trouble === 'breaks off') breakOff(response);
  return trouble === 'hangs' || trouble === 'fails';
}

function breakOff(response: ServerResponse): void {
  response.end = (body?: unknown) => {
    const bytes = Buffer.from(typeof body === 'string' || body instanceof Uint8Array ? body : '');
    if (!response.headersSent) response.setHeader('content-length', bytes.length + 1);
    response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
    return response;
  };
}
