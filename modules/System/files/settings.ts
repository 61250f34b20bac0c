import * as z from 'zod/mini';
import { type UploadType, uploadConfig } from '#shared/config/upload.ts';
import { defineConfigGroup, setting } from '#shared/settings/group.ts';

const largestBytes = 1024 ** 3;

/** Empty: the default of the static configuration. The command line passes digits. */
const size = z.pipe(
  z.union([z.string().check(z.regex(/^\d{0,10}$/)), z.number()], { error: 'rule.bytes' }),
  z.pipe(
    z.transform((value: string | number) => (value === '' ? '' : Number(value))),
    z.union([z.literal(''), z.int().check(z.gte(1), z.lte(largestBytes))], { error: 'rule.bytes' }),
  ),
);

const limit = (type: UploadType, name: string) =>
  setting({
    schema: size,
    default: '',
    description: {
      zh_CN: `${name}大小上限（字节），留空为 ${uploadConfig[type].maxSizeBytes}`,
      en: `Most bytes of one ${type}; ${uploadConfig[type].maxSizeBytes} if empty`,
    },
  });

/** Limits of uploads that replace those of the static configuration. */
export const upload = defineConfigGroup({
  name: 'upload',
  keys: {
    image_max_size: limit('image', '图片'),
    video_max_size: limit('video', '视频'),
    file_max_size: limit('file', '文件'),
  },
});
