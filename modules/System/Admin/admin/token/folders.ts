import * as z from 'zod/mini';
import { isPermitted } from '#shared/auth/permission.ts';
import { admin } from '#shared/http/route.ts';
import { titled } from '#shared/schema/titled.ts';
import { listGrantFolders } from '../../../roles/grant-folders.ts';

export default admin.get({
  summary: { zh_CN: '可交给令牌的权限目录', en: 'Folders of rights that a token can carry' },
  right: 'login',
  data: z.strictObject({
    list: z.array(
      z.strictObject({
        grant: titled({ zh_CN: '权限', en: 'Permission' }, z.string()),
        title: titled({ zh_CN: '名称', en: 'Name' }, z.string()),
      }),
    ),
  }),
  needs: ['permissionTable'],
  handler: async ({ admin, permissionTable, locale }) => ({
    list: listGrantFolders(permissionTable, locale, (permission) => isPermitted(admin, permission)),
  }),
});
