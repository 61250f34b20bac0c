import * as z from 'zod/mini';
import { megabyte, type UploadType, uploadConfig } from '#shared/config/upload.ts';
import type { ErrorDetail } from '#shared/errors/app-error.ts';
import { line } from '#shared/schema/text.ts';
import { defineConfigGroup, setting } from '#shared/settings/group.ts';
import { openValues, readStored } from '#shared/settings/store.ts';
import { listMissing } from '#shared/storage/engines/cloud-settings.ts';
import { engineNames, engines, findEngineName } from '#shared/storage/engines.ts';

/** Most bytes that guests store in a day, of one address and of the whole site, if the settings are empty. */
export const guestConfig = { addressBytes: 50 * megabyte, siteBytes: 2048 * megabyte } as const;

/** A number of bytes. Empty: the default of the static configuration. The command line passes digits. */
const bytes = (largest: number, error: string) =>
  z.pipe(
    z.union([z.string().check(z.regex(/^\d{0,13}$/, { error })), z.number()], { error }),
    z.pipe(
      z.transform((value: string | number) => (value === '' ? '' : Number(value))),
      z.union([z.literal(''), z.int().check(z.gte(1), z.lte(largest))], { error }),
    ),
  );

const size = bytes(1024 ** 3, 'rule.bytes');
const budget = bytes(1024 ** 4, 'rule.daily_bytes');

/** Exact, as operators type it. */
const describeSize = (sizeBytes: number): string => `${sizeBytes / 1024 ** 2} MB`;

const limit = (type: UploadType, zh_CN: string, en: string) =>
  setting({
    schema: size,
    default: '',
    description: {
      zh_CN: `${zh_CN}大小上限，留空为 ${describeSize(uploadConfig[type].maxSizeBytes)}`,
      en: `Largest ${en}; if empty, ${describeSize(uploadConfig[type].maxSizeBytes)}`,
    },
    hints: { type: 'bytes' },
  });

const dailyBudget = (zh_CN: string, en: string, defaultBytes: number) =>
  setting({
    schema: budget,
    default: '',
    description: {
      zh_CN: `${zh_CN}，留空为 ${describeSize(defaultBytes)}`,
      en: `${en}; if empty, ${describeSize(defaultBytes)}`,
    },
    hints: { type: 'bytes' },
  });

/** What guests may upload, and limits that replace those of the static configuration. */
export const upload = defineConfigGroup({
  name: 'upload',
  title: { zh_CN: '上传限制', en: 'Upload limits' },
  keys: {
    image_max_size: limit('image', '图片', 'picture'),
    video_max_size: limit('video', '视频', 'video'),
    file_max_size: limit('file', '文件', 'other file'),
    guests: setting({
      schema: z.enum(['off', 'image', 'all']),
      default: 'image',
      description: { zh_CN: '游客可上传的类型', en: 'What guests may upload' },
      hints: {
        options: {
          off: { zh_CN: '不允许', en: 'Nothing' },
          image: { zh_CN: '仅图片', en: 'Pictures' },
          all: { zh_CN: '全部类型', en: 'All types' },
        },
      },
    }),
    strip_location: setting({
      schema: z.boolean(),
      default: true,
      description: {
        zh_CN: '存储前删除图片中的位置信息（GPS）',
        en: 'Remove the position (GPS) from pictures before they are stored',
      },
    }),
    guest_daily_size: dailyBudget(
      '游客每个地址每日上传上限',
      'Most that guests of one address upload in a day',
      guestConfig.addressBytes,
    ),
    guest_site_daily_size: dailyBudget(
      '全站游客每日上传上限',
      'Most that all guests upload in a day',
      guestConfig.siteBytes,
    ),
  },
});

/** Where new files are stored. */
export const storage = defineConfigGroup({
  name: 'storage',
  title: { zh_CN: '文件存储', en: 'File storage' },
  keys: {
    // The schema accepts any word: a stored name that is unknown must not be read as "not set".
    default: setting({
      schema: line(32),
      default: '',
      description: {
        zh_CN: '默认存储引擎，用于新文件；已有的文件留在原处',
        en: 'Engine of new files; existing files are not moved',
      },
      // The console shows the title of an engine's group in place of its name.
      hints: {
        options: {
          '': {
            zh_CN: '默认（本阶段的存储桶，没有则用本地磁盘）',
            en: 'Default (the bucket of this stage, else the local disk)',
          },
          ...Object.fromEntries(engineNames.map((name) => [name, { zh_CN: name, en: name }])),
          local: { zh_CN: '本地磁盘', en: 'Local disk' },
        },
      },
    }),
  },
  findFaults: (given) => (Object.hasOwn(given, 'default') ? findEngineFaults(String(given.default)) : []),
});

/** Refuses an engine that does not exist or lacks settings. */
async function findEngineFaults(chosen: string): Promise<ErrorDetail[]> {
  const name = findEngineName(chosen);
  if (!name) return [{ path: 'storage.default', message: 'rule.storage_engine' }];
  const { settings } = engines[name];
  if (!settings) return [];
  const values = openValues(settings, await readStored(name));
  return listMissing(settings, values).map((missing) => ({
    path: `${name}.${missing}`,
    message: 'rule.needed_setting',
  }));
}
