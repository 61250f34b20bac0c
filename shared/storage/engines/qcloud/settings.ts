import { type SettingsOf, textSetting } from '#shared/settings/group.ts';
import {
  accessSettings,
  bucket,
  defineCloudGroup,
  hostLabel,
  hostOrUrl,
  optionalText,
} from '../cloud-settings.ts';

/** Object storage of Tencent Cloud (COS). */
export const qcloud = defineCloudGroup({
  name: 'qcloud',
  title: { zh_CN: '腾讯云 COS', en: 'Tencent Cloud COS' },
  keys: {
    /** `<name>-<appid>` */
    bucket: { ...bucket, schema: optionalText(/^[a-z0-9][a-z0-9-]*-\d+$/, 63) },
    region: textSetting(hostLabel, '地域，例如 ap-guangzhou', 'Region, for example ap-guangzhou'),
    ...accessSettings,
    endpoint: textSetting(
      hostOrUrl,
      '接口地址，留空则用存储空间的默认域名',
      "URL or host of the API; if empty, the bucket's own",
      { endpoint: true },
    ),
  },
  required: ['region'],
});

export type QcloudSettings = SettingsOf<typeof qcloud>;
