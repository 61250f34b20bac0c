import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { version } from '#shared/schema/fields.ts';
import { recordId } from '#shared/schema/text.ts';
import { viewData, viewFields, viewPage } from '../../views/schema.ts';
import { assertReads, editView } from '../../views/views.ts';

export default admin.post({
  summary: { zh_CN: '编辑视图', en: 'Edit a view' },
  right: 'login',
  target: 'view:{page}:{id}',
  body: z.strictObject({
    page: viewPage,
    id: recordId,
    name: z.optional(viewFields.name),
    query: z.optional(viewFields.query),
    columns: z.optional(viewFields.columns),
    version,
  }),
  data: viewData,
  needs: ['permissions'],
  errors: ['auth.permission_denied', 'view.not_found', 'view.exists', 'version_conflict'],
  handler: async ({ body: { page, id, version, ...changes }, ...caller }) => {
    assertReads(page, caller);
    return editView({ page, id }, version, changes);
  },
});
