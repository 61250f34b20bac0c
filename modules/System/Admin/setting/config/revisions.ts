import * as z from 'zod/mini';
import { AppError } from '#shared/errors/app-error.ts';
import { revisionList, toAnswer } from '#shared/http/revisions-route.ts';
import { admin } from '#shared/http/route.ts';
import { cursorQuery } from '#shared/schema/list.ts';
import { titled } from '#shared/schema/titled.ts';
import { listSettingRevisions } from '#shared/settings/revisions.ts';

export default admin.get({
  summary: { zh_CN: '系统设置的修改历史', en: 'The history of a group of settings' },
  query: z.object({ ...cursorQuery, group: titled({ zh_CN: '分组', en: 'Group' }, z.string()) }),
  data: revisionList(z.record(z.string(), z.unknown())),
  needs: ['modules', 'permissionTable'],
  errors: ['config.unknown_key'],
  reference: {
    description: {
      zh_CN: '`old` 和 `new` 是修改前后的值；没有值时使用默认值，保密的值显示为 `******`。',
      en: '`old` and `new` have the values before and after. A setting without one has its default; a secret is `******`.',
    },
  },
  async handler({ query: { group: name, ...place }, modules, ...context }) {
    const group = modules.flatMap(({ configs = [] }) => configs).find((each) => each.name === name);
    if (!group) {
      const errors = [{ path: 'query.group', message: 'config.unknown_key' }];
      throw new AppError('config.unknown_key', { errors });
    }
    const { list, next_cursor } = await listSettingRevisions(group, place);
    return { list: list.map((each) => toAnswer(each, context)), next_cursor };
  },
});
