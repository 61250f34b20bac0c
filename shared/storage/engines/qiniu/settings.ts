import * as z from 'zod/mini';
import { type SettingsOf, setting, textSetting } from '#shared/settings/group.ts';
import {
  accessSettings,
  bucket as anyBucket,
  defineCloudGroup,
  hostOrUrl,
  optionalText,
  privateBucket,
  privateDomain,
} from '../cloud-settings.ts';

const regions = ['', 'z0', 'z1', 'z2', 'cn-east-2', 'na0', 'as0'] as const;

const host = (zh_CN: string, en: string) => textSetting(hostOrUrl, zh_CN, en, { endpoint: true });

// Older buckets have capitals and underscores: the name is never part of a host.
const bucket = { ...anyBucket, schema: optionalText(/^[A-Za-z0-9][A-Za-z0-9_-]{1,62}$/) };

/** Object storage of Qiniu (Kodo). */
export const qiniu = defineCloudGroup({
  name: 'qiniu',
  title: { zh_CN: '七牛云 Kodo', en: 'Qiniu Kodo' },
  keys: {
    bucket,
    ...accessSettings,
    region: setting({
      schema: z.enum(regions),
      default: '',
      description: {
        zh_CN: '区域，以七牛云控制台中的存储区域为准',
        en: "Region; as in Qiniu's own console",
      },
      hints: { options: { '': { zh_CN: '自动查询', en: 'Automatic' } } },
    }),
    up_host: host('上传地址，留空则用区域的地址', 'Host of uploads; if empty, that of the region'),
    rs_host: host(
      '管理接口地址，留空则用区域的地址',
      'Host of the management API; if empty, that of the region',
    ),
    uc_host: host('区域查询地址，留空则用默认地址', "Host for looking up the region; if empty, Qiniu's own"),
    https: setting({
      schema: z.boolean(),
      default: true,
      // Without it, signed calls are not encrypted.
      endpoint: true,
      description: { zh_CN: '使用 HTTPS', en: 'Use HTTPS' },
    }),
    private_bucket: privateBucket(bucket),
    private_domain: privateDomain,
  },
  privateFiles: {
    required: () => ['private_bucket', 'private_domain'],
    replace: ({ private_bucket, private_domain }) => ({ bucket: private_bucket, domain: private_domain }),
  },
});

/** The settings of one bucket: an engine does not know which files it holds. */
export type QiniuSettings = Omit<SettingsOf<typeof qiniu>, 'private_bucket' | 'private_domain'>;
