import * as z from 'zod/mini';
import { environment } from '#shared/config/environment.ts';
import { defineConfigGroup, type SettingsOf, setting, textSetting } from '#shared/settings/group.ts';
import { accessSettings, bucket, hostLabel, hostOrUrl, privateBucket } from '../cloud-settings.ts';

/** Amazon S3, and other storage with its API, such as Cloudflare R2 and MinIO. */
export const s3 = {
  ...defineConfigGroup({
    name: 's3',
    title: { zh_CN: 'S3（亚马逊、R2、MinIO 等）', en: 'S3 (Amazon, R2, MinIO and others)' },
    keys: {
      bucket,
      region: textSetting(
        hostLabel,
        '地域，例如 ap-southeast-1；R2 填写 auto',
        'Region, for example ap-southeast-1; auto for R2',
      ),
      access_key: {
        ...accessSettings.access_key,
        description: {
          zh_CN: 'Access Key ID，留空则由函数自身的角色签名',
          en: 'Access key; if empty, the own role of the functions signs',
        },
      },
      secret_key: accessSettings.secret_key,
      domain: accessSettings.domain,
      endpoint: textSetting(
        hostOrUrl,
        '接口地址，用于 R2、MinIO 等；留空则用亚马逊的地址',
        "URL or host of the API, for R2, MinIO and others; if empty, Amazon's",
        { endpoint: true },
      ),
      path_style: setting({
        schema: z.boolean(),
        default: false,
        description: {
          zh_CN: '存储空间名称放在路径中，MinIO 通常需要',
          en: 'The bucket stands in the path, as MinIO usually needs it',
        },
      }),
      private_bucket: {
        ...privateBucket(bucket),
        description: {
          zh_CN: '私有文件的存储空间；若策略只公开 uploads/ 前缀，可与上面相同；留空则不能存放私有文件',
          en: 'Bucket of private files; it may be the one above if its policy opens the prefix uploads/ only; if empty, no private files can be stored',
        },
      },
    },
  }),
  required: ['bucket', 'region', 'domain'],
  requiredBy: listKeys,
  deployed: describeStageBucket,
  privateFiles: {
    required: () => ['private_bucket'],
    isSeparate: false,
    replace: ({ private_bucket }: Record<string, unknown>) => ({ bucket: private_bucket }),
  },
};

/** The settings of one bucket: an engine does not know which files it holds. */
export type S3Settings = Omit<SettingsOf<typeof s3>, 'private_bucket' | 'private_domain'>;

/** Only Amazon knows the role of a function. */
function listKeys({ access_key, secret_key, endpoint }: Record<string, unknown>): string[] {
  return access_key || secret_key || endpoint ? ['access_key', 'secret_key'] : [];
}

/** The bucket of the stage, unless the settings name another one. */
function describeStageBucket({ bucket, region, endpoint }: Record<string, unknown>): Record<string, string> {
  const { s3Bucket, aws } = environment();
  const regionName = String(region || aws.region || '');
  if (!s3Bucket || !regionName || endpoint || (bucket && bucket !== s3Bucket)) return {};
  const suffix = regionName.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  const domain = `https://${s3Bucket}.s3.${regionName}.${suffix}`;
  return { bucket: s3Bucket, region: regionName, domain, private_bucket: s3Bucket };
}
