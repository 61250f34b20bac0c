import { defineConfigGroup, setting } from '../group.ts';
import { accessKey, bucket, domain, hostLabel, hostOrUrl, secretKey } from './cloud-keys.ts';

/** Object storage of Tencent Cloud (COS). */
export const qcloud = defineConfigGroup({
  name: 'qcloud',
  keys: {
    bucket,
    region: setting({
      schema: hostLabel,
      default: '',
      description: { zh_CN: '地域，例如 ap-guangzhou', en: 'Region, as ap-guangzhou' },
    }),
    access_key: accessKey,
    secret_key: secretKey,
    domain,
    endpoint: setting({
      schema: hostOrUrl,
      default: '',
      endpoint: true,
      description: {
        zh_CN: '接口地址，留空则用存储空间的默认域名',
        en: "URL or host of the API; the bucket's own if empty",
      },
    }),
  },
});
