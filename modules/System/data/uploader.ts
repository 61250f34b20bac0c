import type { Uploader } from '#shared/files/records/file-record.ts';
import type { AdminCaller, OptionalCaller } from '#shared/http/route.ts';

export const toAdminUploader = ({ adminId }: AdminCaller): Uploader => ({ kind: 'admin', id: adminId });

export const toUserUploader = ({ userId }: OptionalCaller): Uploader =>
  userId === null ? { kind: 'guest', id: null } : { kind: 'user', id: userId };
