import OSS from 'ali-oss';
import { toAddress } from '#shared/net/endpoint.ts';
import { type Answer, type Exchange, exchange } from '#shared/net/exchange.ts';
import { OutboundError } from '#shared/net/outbound-error.ts';
import { notConfigured } from '../../engine.ts';
import { openEndpoint } from '../cloud-requests.ts';
import type { AliyunSettings } from './settings.ts';

interface Endpoint {
  /** Scheme and host, without a trailing slash. */
  origin: string;
  /** Where URLs hold the bucket's name: not at all (a domain bound to it), in the path, or before the host. */
  style: 'bound' | 'path' | 'subdomain';
}

/** @throws AppError `storage.unavailable` if the endpoint is not a URL, or a denied address */
export function readEndpoint({ endpoint, domain, cname, path_style }: AliyunSettings): Endpoint {
  const target = openEndpoint(endpoint || domain);
  const isBound = endpoint === '' || cname;
  // An address has no subdomains.
  const isPath = path_style || (!isBound && toAddress(target) !== undefined);
  return { origin: target.origin, style: isPath ? 'path' : isBound ? 'bound' : 'subdomain' };
}

/** The URL for forms of direct uploads. */
export function toFormUrl({ origin, style }: Endpoint, bucket: string): string {
  if (style === 'bound') return `${origin}/`;
  return style === 'path' ? `${origin}/${bucket}/` : `${origin.replace('://', `://${bucket}.`)}/`;
}

/** The SDK's client of a bucket, over our connections. @throws AppError `storage.not_configured` */
export function createClient(
  { bucket, access_key, secret_key, region }: AliyunSettings,
  { origin, style }: Endpoint,
  timeoutMs: number,
): OSS {
  const options = {
    bucket,
    accessKeyId: access_key,
    accessKeySecret: secret_key,
    endpoint: origin,
    cname: style === 'bound',
    sldEnable: style === 'path',
    // Version 4 signs the region, version 1 needs none.
    ...(region !== '' && { region, authorizationV4: true }),
    timeout: timeoutMs,
    urllib: transport,
  };
  try {
    return new OSS(options);
  } catch {
    throw notConfigured('aliyun: OSS does not accept the bucket or the endpoint');
  }
}

/** What the SDK passes to its HTTP client. */
interface SdkRequest {
  method: Exchange['method'];
  headers: Record<string, string>;
  content?: Buffer;
  /** In milliseconds. */
  timeout: number;
}

/** No answer, or an answer that is not from OSS. The message shows only the host of the URL. */
export class TransportError extends Error {
  override readonly name = 'TransportError';
  /** For the SDK this means "no answer": it keeps the message. */
  readonly status = -1;
}

/** Room for the XML of an error, in addition to a range. */
const spareBytes = 65_536;

/** Replaces the SDK's HTTP client: sends requests through guarded connections. */
const transport = {
  async request(url: string, { method, headers: given, content, timeout: timeoutMs }: SdkRequest) {
    // If the endpoint is an address, the SDK sets a host that is wrong for bound domains and paths.
    const { host: _host, ...headers } = given;
    const body = content ? [content] : [];
    try {
      return toAnswer(await exchange({ url, method, headers, body, timeoutMs, maxBytes: limitOf(given) }));
    } catch (error) {
      throw error instanceof OutboundError ? new TransportError(error.message) : error;
    }
  },
};

function toAnswer({ status, headers, bytes }: Answer) {
  // Every answer of OSS has this header; a proxy's answer does not.
  if (!headers['x-oss-request-id']) throw new TransportError(`not an answer of OSS (status ${status})`);
  // The answer to HEAD has no body: its error is in a header.
  const data = bytes.length > 0 ? bytes : Buffer.from(String(headers['x-oss-err'] ?? ''), 'base64');
  return { status, headers, data, res: { status, headers } };
}

/** Most bytes that an answer may have. */
function limitOf({ Range = '' }: Record<string, string>): number {
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(Range) ?? [];
  return spareBytes + (last === undefined ? 0 : Number(last) - Number(first) + 1);
}
