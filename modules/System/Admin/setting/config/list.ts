import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { pageOf, pageQuery, toPage } from '#shared/schema/list.ts';
import { listSettings } from '#shared/settings/list.ts';

const value = z.union([z.string(), z.number(), z.boolean(), z.null()]);

export default admin.get({
  summary: { zh_CN: '系统配置列表', en: 'List settings' },
  query: z.object({ ...pageQuery, group: z.optional(z.string()) }),
  data: pageOf(
    z.strictObject({
      group: z.string(),
      key: z.string(),
      value,
      default: value,
      secret: z.boolean(),
      description: z.string(),
    }),
  ),
  needs: ['modules'],
  handler: async ({ query, modules, locale }) => {
    const groups = modules.flatMap((module) => module.configs ?? []);
    const wanted = groups.filter(({ name }) => query.group === undefined || name === query.group);
    return toPage(await listSettings(wanted, locale), query);
  },
});
