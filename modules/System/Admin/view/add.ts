import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { viewData, viewFields, viewPage } from '../../views/schema.ts';
import { addView, assertReads } from '../../views/views.ts';

export default admin.post({
  summary: { zh_CN: '新增视图', en: 'Add a view' },
  right: 'login',
  body: z.strictObject({ page: viewPage, ...viewFields }),
  data: viewData,
  needs: ['permissions'],
  errors: ['auth.permission_denied', 'view.exists'],
  handler: async ({ body, ...caller }) => {
    assertReads(body.page, caller);
    return addView(body);
  },
});
