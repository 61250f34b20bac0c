import * as z from 'zod/mini';
import { type SettingsOf, setting, textSetting } from '#shared/settings/group.ts';
import {
  accessSettings,
  bucket,
  defineCloudGroup,
  hostLabel,
  optionalText,
  privateBucket,
  privateDomain,
} from '../cloud-settings.ts';

const optionalUrl = optionalText(/^https?:\/\/[A-Za-z0-9.-]+(:\d{1,5})?\/?$/);

const flag = (zh_CN: string, en: string) =>
  setting({ schema: z.boolean(), default: false, description: { zh_CN, en } });

/** Object storage of Alibaba Cloud (OSS). */
export const aliyun = defineCloudGroup({
  name: 'aliyun',
  title: { zh_CN: '阿里云 OSS', en: 'Alibaba Cloud OSS' },
  keys: {
    bucket,
    ...accessSettings,
    endpoint: textSetting(
      optionalUrl,
      '接口地址（URL），留空则用访问域名',
      'URL of the API; if empty, the domain of files',
      { endpoint: true },
    ),
    cname: flag('接口地址是绑定到存储空间的域名', 'The URL of the API is a domain bound to the bucket'),
    path_style: flag(
      '存储空间名称放在路径中，仅用于专有云',
      'The bucket stands in the path, for private clouds only',
    ),
    region: textSetting(
      hostLabel,
      '地域，例如 cn-hangzhou；填写后使用 V4 签名',
      'Region, for example cn-hangzhou; if it is set, requests use signature version 4',
    ),
    private_bucket: privateBucket(bucket),
    private_domain: privateDomain,
  },
  privateFiles: {
    required: (settings) => ['private_bucket', ...(isBound(settings) ? ['private_domain'] : [])],
    // An endpoint that is no domain of a bucket serves both buckets.
    replace: (settings) => ({
      bucket: settings.private_bucket,
      ...(settings.private_domain
        ? { endpoint: '', path_style: false, domain: settings.private_domain }
        : {}),
    }),
  },
});

/** Whether the URL of the API is a domain of the bucket. */
const isBound = ({ endpoint, cname }: Record<string, unknown>): boolean => endpoint === '' || cname === true;

/** The settings of one bucket: an engine does not know which files it holds. */
export type AliyunSettings = Omit<SettingsOf<typeof aliyun>, 'private_bucket' | 'private_domain'>;
