import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { label } from '#shared/schema/marks.ts';
import { titled } from '#shared/schema/titled.ts';
import { checkSettings } from '#shared/settings/save.ts';
import { engineSettings } from '#shared/storage/engines.ts';
import { readReceivedSettings } from '../../../site/received-settings.ts';
import { testableGroups, testConnection, testSteps } from '../../../site/test-connection.ts';

/** Longest time of a test, and what the function needs for its answer, in milliseconds. */
const limitMs = 24_000;
const reserveMs = 3000;

const group = titled(
  {
    zh_CN: '分组',
    en: 'Group',
    options: {
      ...Object.fromEntries(engineSettings.map(({ name, title }) => [name, title])),
      ai: { zh_CN: 'AI 助手', en: 'Assistant' },
    },
  },
  label(z.enum(testableGroups)),
);

const step = titled(
  {
    zh_CN: '失败的步骤',
    en: 'Failed step',
    options: {
      open: { zh_CN: '打开', en: 'Open' },
      put: { zh_CN: '写入', en: 'Write' },
      read: { zh_CN: '读取', en: 'Read' },
      delete: { zh_CN: '删除', en: 'Delete' },
      private: { zh_CN: '私有文件', en: 'Private files' },
      ask: { zh_CN: '提问', en: 'Ask' },
    },
  },
  z.enum(testSteps),
);

export default admin.post({
  summary: { zh_CN: '测试连接', en: 'Test a connection' },
  sensitive: true,
  middleware: ['throttle:connection-test'],
  body: z.strictObject({
    group,
    values: titled({ zh_CN: '值', en: 'Values' }, z.record(z.string(), z.unknown())),
  }),
  target: 'config:{group}',
  data: z.strictObject({
    ok: titled({ zh_CN: '成功', en: 'Works' }, z.boolean()),
    step: z.nullable(step),
    detail: titled({ zh_CN: '失败原因', en: 'Why it failed' }, z.nullable(z.string())),
  }),
  needs: ['modules'],
  limits: { timeoutSeconds: 29 },
  errors: ['config.unknown_key', 'config.endpoint_denied'],
  reference: {
    description: {
      zh_CN:
        '用已保存的设置加上 `values` 实际连接一次，不保存设置：存储引擎写入、读取并删除一个小文件，AI 接口回答一个词。',
      en: 'Connects once with the stored settings and `values`, and saves nothing: a storage engine writes, reads and deletes a small file, the AI provider answers one word.',
    },
  },
  handler: async ({ body, modules, adminId, request }) => {
    const { group, values } = readReceivedSettings(modules, body);
    const { settings } = await checkSettings(group, values);
    const left = Math.min(limitMs, request.remainingMs() - reserveMs);
    const { step, detail } = await testConnection({ group, settings, adminId, limitMs: left });
    return { ok: step === null, step, detail };
  },
});
