import * as z from 'zod/mini';
import { uploadTypes } from '#shared/config/upload.ts';
import { titled } from '#shared/schema/titled.ts';

/** Kind of a file. */
export const fileType = titled(
  {
    zh_CN: '类型',
    en: 'Type',
    options: {
      image: { zh_CN: '图片', en: 'Image' },
      video: { zh_CN: '视频', en: 'Video' },
      file: { zh_CN: '其他文件', en: 'Other file' },
    },
  },
  z.enum(uploadTypes),
);
