import * as z from 'zod/mini';
import { requireProfile } from '#shared/auth/profiles.ts';
import { admin } from '#shared/http/route.ts';
import { titled } from '#shared/schema/titled.ts';
import { adminProfiles } from '../../admins/admin-record.ts';
import { adminData } from '../../admins/schema.ts';

export default admin.get({
  summary: { zh_CN: '当前管理员', en: 'The current administrator' },
  right: 'login',
  data: z.extend(adminData, { grants: titled({ zh_CN: '权限', en: 'Permissions' }, z.array(z.string())) }),
  prefetch: adminProfiles.readOwn,
  handler: async ({ admin, prefetched }) => requireProfile(prefetched, admin),
});
