import qiniu from 'qiniu';

/** What an upload token allows: one new object of one size at one key. */
export interface UploadRule {
  key: string;
  sizeBytes: number;
  /** Unix seconds from which the token is refused. */
  expiresAt: number;
  /** How the object's MIME type is found: 0 is the sender's word, 1 its content and the names' extensions. */
  detectMime: 0 | 1;
}

/** Signs for one bucket with one pair of keys. */
export interface Signer {
  /** What an upload by form is authorised by. */
  uploadToken(rule: UploadRule): string;
  /** The path that asks the management API for an operation on an object. */
  path(operation: 'stat' | 'delete', key: string): string;
  /** The path that changes an object's MIME type. */
  mimePath(key: string, contentType: string): string;
  /** The headers that authorise a request without a body to the management API. */
  authorize(method: 'GET' | 'POST', url: URL): Record<string, string>;
  /** `url` with what private buckets ask for; public ones do not mind. */
  downloadUrl(url: string, expiresAt: number): string;
}

/** Hosts of a region, in the order in which to try them. */
export interface RegionHosts {
  up: readonly string[];
  rs: readonly string[];
}

/** The hosts that Qiniu's SDK knows of a region. */
export function knownHosts(region: string): RegionHosts {
  const { services } = qiniu.httpc.Region.fromRegionId(region);
  const hostsOf = (service: 'up' | 'rs') => (services[service] ?? []).map(({ host }) => host);
  return { up: hostsOf('up'), rs: hostsOf('rs') };
}

export interface SigningKeys {
  bucket: string;
  access_key: string;
  secret_key: string;
}

const formType = 'application/x-www-form-urlencoded';

/** The one place that knows Qiniu's SDK: it signs, and knows regions; connections are `shared/net`'s. */
export function createSigner({ bucket, access_key, secret_key }: SigningKeys): Signer {
  const mac = new qiniu.auth.digest.Mac(access_key, secret_key);
  const sign = (text: string) =>
    `${access_key}:${qiniu.util.base64ToUrlSafe(qiniu.util.hmacSha1(text, secret_key))}`;

  return {
    uploadToken({ key, sizeBytes, expiresAt, detectMime }) {
      // The SDK reads 0 seconds as an hour.
      const expires = expiresAt - Math.floor(Date.now() / 1000) || -1;
      const size = { fsizeMin: sizeBytes, fsizeLimit: sizeBytes };
      const policy = { scope: `${bucket}:${key}`, expires, insertOnly: 1, ...size, detectMime };
      return new qiniu.rs.PutPolicy(policy).uploadToken(mac);
    },
    path: (operation, key) =>
      operation === 'stat' ? qiniu.rs.statOp(bucket, key) : qiniu.rs.deleteOp(bucket, key),
    mimePath: (key, contentType) => qiniu.rs.changeMimeOp(bucket, key, contentType),
    authorize(method, { host, pathname, search }) {
      const date = qiniu.util.formatDateUTC(new Date(), 'YYYYMMDDTHHmmssZ');
      // Not the SDK's `generateAccessTokenV2`: it writes a host's port twice, which no server expects.
      const lines = [`${method} ${pathname}${search}`, `Host: ${host}`, `Content-Type: ${formType}`];
      const text = `${lines.join('\n')}\nX-Qiniu-Date: ${date}\n\n`;
      return { authorization: `Qiniu ${sign(text)}`, 'content-type': formType, 'x-qiniu-date': date };
    },
    downloadUrl(url, expiresAt) {
      const limited = `${url}?e=${expiresAt}`;
      return `${limited}&token=${sign(limited)}`;
    },
  };
}
