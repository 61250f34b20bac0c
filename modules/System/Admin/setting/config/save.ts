import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { label } from '#shared/schema/marks.ts';
import { titled } from '#shared/schema/titled.ts';
import { saveSettings } from '#shared/settings/save.ts';
import { engineSettings } from '#shared/storage/engines.ts';
import { login } from '../../../admins/settings.ts';
import { storage } from '../../../files/settings.ts';
import { readReceivedSettings } from '../../../site/received-settings.ts';
import { oidc } from '../../../sso/settings.ts';

/** Groups that decide who can log in, or where files are stored. */
const guardedGroups = [login, oidc, storage, ...engineSettings].map(({ name }) => name);

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
  needs: ['modules', 'permissions'],
  errors: [
    'auth.factor_required',
    'config.unknown_key',
    'config.endpoint_denied',
    'version_conflict',
    'role.exceeds',
    'role.not_found',
  ],
  reference: { description: { zh_CN: '只更改列出的值。', en: 'Changes only the values that are listed.' } },
  handler: async ({ admin: caller, body, modules, permissions, requirePart, requireRecentFactor }) => {
    requirePart(body.group);
    if (guardedGroups.includes(body.group)) requireRecentFactor();
    const { group, values } = readReceivedSettings(modules, body);
    if (group === oidc) {
      const { assertGivenRole } = await import('../../../sso/assert-given-role.ts');
      await assertGivenRole(caller, permissions, values);
    }
    await saveSettings(group, values);
  },
});
