import qiniu from 'qiniu';

/** An upload token allows one new object of one size at one key. */
interface UploadRule {
  key: string;
  sizeBytes: number;
  /** Unix seconds from which the token is refused. */
  expiresAt: number;
  /** The source of the MIME type: 0 the sender, 1 the content and the names' extensions. */
  detectMime: 0 | 1;
}

/** Hosts of a region for uploads (`up`) and management (`rs`), to be tried in this order. */
export type RegionHosts = Record<'up' | 'rs', readonly string[]>;

/** The SDK's hosts of a region. */
export function knownHosts(region: string): RegionHosts {
  const { services } = qiniu.httpc.Region.fromRegionId(region);
  const hostsOf = (service: 'up' | 'rs') => (services[service] ?? []).map(({ host }) => host);
  return { up: hostsOf('up'), rs: hostsOf('rs') };
}

const formType = 'application/x-www-form-urlencoded';

export function createSigner({
  bucket,
  access_key,
  secret_key,
}: Record<'bucket' | 'access_key' | 'secret_key', string>) {
  const mac = new qiniu.auth.digest.Mac(access_key, secret_key);
  const sign = (text: string) =>
    `${access_key}:${qiniu.util.base64ToUrlSafe(qiniu.util.hmacSha1(text, secret_key))}`;

  return {
    /** Authorises an upload by form. */
    uploadToken({ key, sizeBytes, expiresAt, detectMime }: UploadRule): string {
      // For the SDK, 0 seconds means an hour.
      const expires = expiresAt - Math.floor(Date.now() / 1000) || -1;
      const size = { fsizeMin: sizeBytes, fsizeLimit: sizeBytes };
      const policy = { scope: `${bucket}:${key}`, expires, insertOnly: 1, ...size, detectMime };
      return new qiniu.rs.PutPolicy(policy).uploadToken(mac);
    },
    /** The path of an operation on an object, for the management API. */
    path: (operation: 'stat' | 'delete', key: string): string =>
      operation === 'stat' ? qiniu.rs.statOp(bucket, key) : qiniu.rs.deleteOp(bucket, key),
    /** The path that changes an object's MIME type. */
    mimePath: (key: string, contentType: string): string => qiniu.rs.changeMimeOp(bucket, key, contentType),
    /** Headers for a request without a body to the management API. */
    authorize(method: 'GET' | 'POST', { host, pathname, search }: URL): Record<string, string> {
      const date = qiniu.util.formatDateUTC(new Date(), 'YYYYMMDDTHHmmssZ');
      // The SDK's `generateAccessTokenV2` writes a host's port twice: no server accepts that.
      const lines = [`${method} ${pathname}${search}`, `Host: ${host}`, `Content-Type: ${formType}`];
      const text = `${lines.join('\n')}\nX-Qiniu-Date: ${date}\n\n`;
      return { authorization: `Qiniu ${sign(text)}`, 'content-type': formType, 'x-qiniu-date': date };
    },
    /** Signs a URL for private buckets; public ones ignore it. */
    downloadUrl(url: string, expiresAt: number, query?: string): string {
      const limited = `${url}?${query ? `${query}&` : ''}e=${expiresAt}`;
      return `${limited}&token=${sign(limited)}`;
    },
  };
}
