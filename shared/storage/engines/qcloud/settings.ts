import { type SettingsOf, textSetting } from '#shared/settings/group.ts';
import {
  accessSettings,
  bucket as anyBucket,
  defineCloudGroup,
  hostLabel,
  hostOrUrl,
  optionalText,
  privateBucket,
  privateDomain,
} from '../cloud-settings.ts';

/** `<name>-<appid>` */
const bucket = { ...anyBucket, schema: optionalText(/^[a-z0-9][a-z0-9-]*-\d+$/, 63) };

/** Object storage of Tencent Cloud (COS). */
export const qcloud = defineCloudGroup({
  name: 'qcloud',
  title: { zh_CN: '腾讯云 COS', en: 'Tencent Cloud COS' },
  keys: {
    bucket,
    region: textSetting(hostLabel, '地域，例如 ap-guangzhou', 'Region, for example ap-guangzhou'),
    ...accessSettings,
    endpoint: textSetting(
      hostOrUrl,
      '接口地址，留空则用存储空间的默认域名',
      "URL or host of the API; if empty, the bucket's own",
      { endpoint: true },
    ),
    private_bucket: privateBucket(bucket),
    private_domain: privateDomain,
  },
  required: ['region'],
  privateFiles: {
    // The URL of the API is that of one bucket.
    required: ({ endpoint }) => ['private_bucket', ...(endpoint ? ['private_domain'] : [])],
    replace: ({ private_bucket, private_domain }) => ({ bucket: private_bucket, endpoint: private_domain }),
  },
});

/** The settings of one bucket: an engine does not know which files it holds. */
export type QcloudSettings = Omit<SettingsOf<typeof qcloud>, 'private_bucket' | 'private_domain'>;
