import { defineRevisionsRoute } from '#shared/http/revisions-route.ts';
import { recordId } from '#shared/schema/text.ts';
import { roles } from '../../roles/role-record.ts';
import { roleData } from '../../roles/schema.ts';

export default defineRevisionsRoute(roles, {
  summary: { zh_CN: '角色的修改历史', en: 'The history of a role' },
  sensitive: true,
  keys: { id: recordId },
  data: roleData,
});
