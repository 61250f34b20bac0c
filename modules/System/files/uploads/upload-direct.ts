import * as z from 'zod/mini';
import { environment } from '#shared/config/environment.ts';
import { uploadTransport } from '#shared/config/upload.ts';
import { components } from '#shared/schema/component.ts';
import { titled } from '#shared/schema/titled.ts';
import * as samples from '../../samples.ts';
import { denyGuest } from './guest-budget.ts';
import { declared, labels, startErrors, toUploader, type UploadContext } from './schema.ts';
import { encryptTicket } from './ticket.ts';
import { type FileOrigin, startUpload } from './upload-record.ts';
import {
  checkDeclared,
  type DeclaredUpload,
  readUploadSettings,
  type UploadSettings,
} from './upload-rules.ts';

const directBody = z.strictObject({
  ...declared,
  size: titled({ zh_CN: '大小', en: 'Size', type: 'bytes' }, z.int().check(z.gte(0))),
  ...labels,
});
const directData = z
  .strictObject({
    ticket: titled({ zh_CN: '上传凭证', en: 'Upload ticket' }, z.string()),
    method: titled(
      {
        zh_CN: '请求方法',
        en: 'Method',
        options: {
          POST: { zh_CN: 'POST：表单', en: 'POST: a form' },
          PUT: { zh_CN: 'PUT：文件本身', en: 'PUT: the file itself' },
        },
      },
      z.enum(['POST', 'PUT']),
    ),
    url: titled({ zh_CN: '上传地址', en: 'Upload URL' }, z.string()),
    headers: titled({ zh_CN: '请求头', en: 'Headers' }, z.record(z.string(), z.string())),
    fields: titled({ zh_CN: '表单字段', en: 'Form fields' }, z.record(z.string(), z.string())),
    file_field: titled({ zh_CN: '文件字段名', en: 'Name of the file field' }, z.string()),
    part_size: titled({ zh_CN: '分片大小', en: 'Part size', type: 'bytes' }, z.optional(z.int())),
    expires_at: titled({ zh_CN: '过期时间', en: 'Expires', type: 'time' }, z.string()),
  })
  .register(components, { id: 'DirectUpload' });
export type StartedUpload = z.infer<typeof directData>;

/** Common to the routes `upload/direct` of administrators and users. */
export const directRoute = {
  summary: { zh_CN: '申请直传', en: 'Begin a direct upload' },
  body: directBody,
  data: directData,
  storage: true,
  errors: startErrors,
  reference: {
    description: {
      zh_CN: '返回客户端上传文件的地址和表单；上传后调用 `complete`。',
      en: 'Answers where and how the client uploads the file itself. Call `complete` afterwards.',
    },
    example: samples.uploadDirect,
  },
  prefetch: readUploadSettings,
  handler: (context: UploadContext<z.output<typeof directBody>, UploadSettings>) => {
    const { size: sizeBytes, ...body } = context.body;
    return startDirect({ ...body, sizeBytes, uploader: toUploader(context) }, context.prefetched);
  },
};

/**
 * Begins the upload of a file that the client will send to the engine by itself.
 * @throws AppError the errors of a form upload before its content checks; `storage.*`; `upload.guest_denied` for any
 *   guest: the bytes would come after the budget is counted
 */
export async function startDirect(
  given: DeclaredUpload & FileOrigin,
  { limits, defaultEngine }: UploadSettings,
): Promise<StartedUpload> {
  if (given.uploader.kind === 'guest') throw denyGuest();
  const accepted = { ...given, ...checkDeclared(given, limits) };
  const { engine, file, expires_at } = await startUpload(
    accepted,
    defaultEngine,
    uploadTransport.ticketSeconds,
  );
  const ticket = encryptTicket(file.id);
  const direct = await engine.directTicket({
    key: file.key,
    contentType: file.mime,
    sizeBytes: file.size,
    expiresAt: expires_at,
    ticket,
    partUrl: `${environment().publicUrl}/api/system/upload/part`,
  });
  return { ticket, ...direct, expires_at: new Date(expires_at * 1000).toISOString() };
}
