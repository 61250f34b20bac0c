import * as samples from '../../samples.ts';
import { fileData, type Uploader } from '../records/file-record.ts';
import { completeBody, directBody, directData, fileForm } from './schema.ts';

/** Errors of the checks before the bytes arrive. */
const declaredErrors = [
  'upload.type_unknown',
  'upload.extension_not_allowed',
  'upload.empty',
  'upload.too_large',
] as const;
const contentErrors = ['upload.content_mismatch', 'upload.active_content'] as const;
export const storageErrors = ['storage.unavailable', 'storage.not_configured'] as const;
export const directErrors = [...declaredErrors, ...storageErrors] as const;

/** For functions that hold a whole file. */
export const heavy = { timeoutSeconds: 29, memoryMb: 1024 };

/**
 * Common to the routes `upload/file` of administrators and users. The route files set parser and prefetch:
 * other functions load this file too.
 */
export const fileRoute = {
  summary: { zh_CN: '上传文件', en: 'Upload a file in a form' },
  body: fileForm,
  data: fileData,
  storage: true,
  limits: heavy,
  errors: [...declaredErrors, ...contentErrors, ...storageErrors, 'request.too_large'],
  reference: { example: samples.uploadForm },
} as const;

export const directRoute = {
  summary: { zh_CN: '申请直传', en: 'Begin a direct upload' },
  body: directBody,
  data: directData,
  storage: true,
  errors: directErrors,
  reference: {
    description: {
      zh_CN: '返回客户端上传文件的地址和表单；上传后调用 `complete`。',
      en: 'Answers where and how the client uploads the file itself. Call `complete` afterwards.',
    },
    example: samples.uploadDirect,
  },
} as const;

export const completeRoute = {
  summary: { zh_CN: '完成直传', en: 'Complete a direct upload' },
  body: completeBody,
  data: fileData,
  storage: true,
  limits: heavy,
  errors: [
    'upload.ticket_invalid',
    'upload.incomplete',
    // Drawings above the size that can be checked.
    'upload.too_large',
    ...contentErrors,
    ...storageErrors,
  ],
  reference: {
    description: {
      zh_CN: '检查已上传的内容并登记文件。',
      en: 'Checks the uploaded content and registers the file.',
    },
  },
} as const;

export const toAdminUploader = ({ adminId: id }: { adminId: string }): Uploader => ({ kind: 'admin', id });

/** @param userId null for a guest */
export const toUserUploader = ({ userId }: { userId: string | null }): Uploader =>
  userId === null ? { kind: 'guest', id: null } : { kind: 'user', id: userId };
