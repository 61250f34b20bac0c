import * as z from 'zod/mini';
import { settleAll } from '#shared/async/settle-all.ts';
import { api } from '#shared/http/route.ts';
import { integerText } from '#shared/schema/text.ts';
import {
  guestErrorHeaders,
  guestErrors,
  readSpentBytes,
  toGuestShare,
} from '../../files/uploads/guest-budget.ts';
import { declared, labels, startErrors } from '../../files/uploads/schema.ts';
import { readUploadSettings, validateData, validateUpload } from '../../files/uploads/upload-rules.ts';

export default api.openGet({
  summary: { zh_CN: '校验待上传文件', en: 'Check a file before it is uploaded' },
  middleware: ['api.try-auth'],
  query: z.object({
    ...declared,
    size: z.optional(integerText(0, 999_999_999_999_999)),
    visibility: labels.visibility,
  }),
  data: validateData,
  storage: true,
  errors: [...startErrors, ...guestErrors, 'request.too_large'],
  reference: { errorHeaders: guestErrorHeaders },
  // Beside the gates, the token is not checked yet.
  prefetch: ({ event: { headers, requestContext } }) =>
    settleAll([
      readUploadSettings(),
      headers.authorization ? undefined : readSpentBytes(toGuestShare(requestContext.http.sourceIp)),
    ]),
  handler: ({
    query: { type, name, size = 1, visibility },
    prefetched: [settings, spent],
    userId,
    request,
  }) =>
    validateUpload(
      { type, name, sizeBytes: size, visibility },
      settings,
      userId === null ? request.address : undefined,
      async (share) => spent ?? readSpentBytes(share),
    ),
});
