import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { recordId } from '#shared/schema/text.ts';
import { viewPage } from '../../views/schema.ts';
import { assertReads, deleteView } from '../../views/views.ts';

export default admin.post({
  summary: { zh_CN: '删除视图', en: 'Delete a view' },
  right: 'login',
  target: 'view:{page}:{id}',
  body: z.strictObject({ page: viewPage, id: recordId }),
  data: z.null(),
  needs: ['permissions'],
  errors: ['auth.permission_denied', 'view.not_found', 'version_conflict'],
  handler: async ({ body: { page, id }, ...caller }) => {
    assertReads(page, caller);
    await deleteView({ page, id });
  },
});
