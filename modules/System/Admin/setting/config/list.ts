import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { convertMedia } from '#shared/media/convert-media.ts';
import { pageOf, pageQuery, toPage } from '#shared/schema/list.ts';
import { titled } from '#shared/schema/titled.ts';
import { listSettings } from '#shared/settings/list.ts';

const group = titled({ zh_CN: '分组', en: 'Group' }, z.string());
const value = z.union([z.string(), z.number(), z.boolean(), z.null()]);

export default admin.get({
  summary: { zh_CN: '系统设置列表', en: 'List settings' },
  query: z.object({ ...pageQuery, group: z.optional(group) }),
  data: pageOf(
    z.strictObject({
      group,
      key: titled({ zh_CN: '键', en: 'Key' }, z.string()),
      value: titled({ zh_CN: '值', en: 'Value' }, value),
      default: titled({ zh_CN: '默认值', en: 'Default' }, value),
      secret: titled({ zh_CN: '保密', en: 'Secret' }, z.boolean()),
      description: titled({ zh_CN: '说明', en: 'Description' }, z.string()),
    }),
  ),
  needs: ['modules'],
  handler: async ({ query, modules, locale }) => {
    const groups = modules.flatMap((module) => module.configs ?? []);
    const wanted = groups.filter(({ name }) => query.group === undefined || name === query.group);
    return toPage(await listSettings(wanted, locale, convertMedia), query);
  },
});
