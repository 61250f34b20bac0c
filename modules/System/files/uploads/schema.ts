import * as z from 'zod/mini';
import { label, secret } from '#shared/schema/marks.ts';
import { titled } from '#shared/schema/titled.ts';
import { fileCategoryId } from '../category-id.ts';
import { fileTag, type Uploader, visibility } from '../records/file-record.ts';

export const storageErrors = ['storage.unavailable', 'storage.not_configured'] as const;
/** Errors before the bytes arrive. */
export const startErrors = [
  ...storageErrors,
  'upload.type_unknown',
  'upload.extension_not_allowed',
  'upload.empty',
  'upload.too_large',
] as const;
export const contentErrors = ['upload.content_mismatch', 'upload.active_content'] as const;

/** For functions that hold a whole file. */
export const heavy = { timeoutSeconds: 29, memoryMb: 1024 };

/** The upload's own checks have more precise errors. The name is cut to 100 characters later. */
export const declaredType = titled({ zh_CN: '类型', en: 'Type' }, z.string());
export const declared = {
  type: declaredType,
  name: titled({ zh_CN: '文件名', en: 'File name' }, label(z.string().check(z.maxLength(20_000)))),
};
export const labels = {
  cid: fileCategoryId,
  module: titled({ zh_CN: '业务模块', en: 'Business module' }, fileTag),
  tag: titled({ zh_CN: '标签', en: 'Tag' }, fileTag),
  visibility: z._default(visibility, 'public'),
};
export const ticket = titled(
  { zh_CN: '上传凭证', en: 'Upload ticket' },
  secret(z.string().check(z.minLength(1), z.maxLength(512))),
);
export const partData = z.strictObject({ offset: z.int() });

/** What a handler gets that administrators, users and guests share. */
export interface UploadContext<Body, Prefetched = unknown> {
  body: Body;
  prefetched: Prefetched;
  adminId?: string;
  /** Null for a guest. */
  userId?: string | null;
  request: { address: string };
}

export const toUploader = ({
  adminId,
  userId = null,
}: Pick<UploadContext<unknown>, 'adminId' | 'userId'>): Uploader => {
  if (adminId !== undefined) return { kind: 'admin', id: adminId };
  return { kind: userId === null ? 'guest' : 'user', id: userId };
};

/** The uploader of a file, and a guest's address. */
export const toSender = (context: UploadContext<unknown>) => {
  const uploader = toUploader(context);
  return { uploader, guestAddress: uploader.kind === 'guest' ? context.request.address : null };
};
