import type { IncomingHttpHeaders } from 'node:http';
import OSS from 'ali-oss';
import { toAddress } from '#shared/net/endpoint.ts';
import { type Answer, type Exchange, exchange } from '#shared/net/exchange.ts';
import { OutboundError } from '#shared/net/outbound-error.ts';
import { notConfigured } from '../../engine.ts';
import { openEndpoint } from '../cloud-requests.ts';
import type { AliyunSettings } from './settings.ts';

/** Where a bucket's API is. */
export interface Endpoint {
  /** Scheme and host, without a trailing slash. */
  origin: string;
  /** Where URLs name the bucket: nowhere (a domain bound to it), first in the path, or before the host. */
  style: 'bound' | 'path' | 'subdomain';
}

/**
 * Reads where requests go.
 *
 * @throws AppError `storage.unavailable` if the endpoint is not a URL, or an address that may not be reached
 */
export function readEndpoint({ endpoint, domain, cname, path_style }: AliyunSettings): Endpoint {
  const target = openEndpoint(endpoint || domain);
  const isBound = endpoint === '' || cname;
  // An address has no subdomains.
  const isPath = path_style || (!isBound && toAddress(target) !== undefined);
  return { origin: target.origin, style: isPath ? 'path' : isBound ? 'bound' : 'subdomain' };
}

/** Where forms of direct uploads go. */
export function toFormUrl({ origin, style }: Endpoint, bucket: string): string {
  if (style === 'bound') return `${origin}/`;
  return style === 'path' ? `${origin}/${bucket}/` : `${origin.replace('://', `://${bucket}.`)}/`;
}

/**
 * The SDK's client of one bucket, on our connections.
 *
 * @param timeoutMs how long a request may take that sets no timeout of its own
 * @throws AppError `storage.not_configured` if the SDK refuses a setting
 */
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

/** What the SDK passes to its HTTP client, as far as this engine uses it. */
interface SdkRequest {
  method: Exchange['method'];
  headers: Record<string, string>;
  content?: Buffer;
  /** In milliseconds. */
  timeout: number;
}

/** No answer, or not one of OSS. Its message names the host and nothing more of the URL. */
export class TransportError extends Error {
  override readonly name = 'TransportError';
  /** Tells the SDK that there is no answer; it then keeps the message. */
  readonly status = -1;
}

/** Room for the XML of an error, in addition to a range. */
const spareBytes = 65_536;

/** Takes the place of the SDK's HTTP client: sends requests through guarded connections. */
const transport = {
  async request(url: string, { method, headers: given, content, timeout: timeoutMs }: SdkRequest) {
    // For endpoints that are addresses the SDK sets another host, which fits neither bound domains nor paths.
    const { host: _host, ...headers } = given;
    const body = content ? [content] : [];
    try {
      return toAnswer(await exchange({ url, method, headers, body, timeoutMs, maxBytes: limitOf(given) }));
    } catch (error) {
      throw error instanceof OutboundError ? new TransportError(error.message) : error;
    }
  },
};

/** An answer as the SDK reads it. */
function toAnswer({ status, headers, bytes }: Answer) {
  // Every answer of OSS has this header; a proxy's answer does not.
  if (!headers['x-oss-request-id']) throw new TransportError(`not an answer of OSS (status ${status})`);
  return { status, headers, data: bytes.length > 0 ? bytes : errorOf(headers), res: { status, headers } };
}

/** The XML of an error to HEAD, whose answer has no body. */
function errorOf(headers: IncomingHttpHeaders): Buffer {
  return Buffer.from(String(headers['x-oss-err'] ?? ''), 'base64');
}

/** Most bytes that an answer may have. */
function limitOf({ Range = '' }: Record<string, string>): number {
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(Range) ?? [];
  return spareBytes + (last === undefined ? 0 : Number(last) - Number(first) + 1);
}
