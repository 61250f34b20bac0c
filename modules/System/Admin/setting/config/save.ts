import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { label } from '#shared/schema/marks.ts';
import { titled } from '#shared/schema/titled.ts';
import { saveSettings } from '#shared/settings/save.ts';
import { readReceivedSettings } from '../../../site/received-settings.ts';

export default admin.post({
  summary: { zh_CN: '保存系统设置', en: 'Save settings' },
  sensitive: true,
  parts: 'settings',
  body: z.strictObject({
    group: titled({ zh_CN: '分组', en: 'Group' }, label(z.string())),
    values: titled({ zh_CN: '值', en: 'Values' }, z.record(z.string(), z.unknown())),
  }),
  target: 'config:{group}',
  data: z.null(),
  needs: ['modules'],
  errors: ['config.unknown_key', 'config.endpoint_denied', 'version_conflict'],
  reference: { description: { zh_CN: '只更改列出的值。', en: 'Changes only the values that are listed.' } },
  handler: async ({ body, modules, requirePart }) => {
    requirePart(body.group);
    const { group, values } = readReceivedSettings(modules, body);
    await saveSettings(group, values);
  },
});
