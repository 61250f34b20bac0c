import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { viewData, viewPage } from '../../views/schema.ts';
import { assertReads, listViews } from '../../views/views.ts';

export default admin.get({
  summary: { zh_CN: '页面的视图列表', en: 'List the views of a page' },
  // The right is the one to the list of the page (decision 0051).
  right: 'login',
  query: z.object({ page: viewPage }),
  data: z.array(viewData),
  needs: ['permissions'],
  errors: ['auth.permission_denied'],
  handler: async ({ query: { page }, ...caller }) => {
    assertReads(page, caller);
    return listViews(page);
  },
});
