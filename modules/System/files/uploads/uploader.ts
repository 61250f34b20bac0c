import type { AdminCaller, OptionalCaller } from '#shared/http/route.ts';
import type { Uploader } from '../records/file-record.ts';

export const toAdminUploader = ({ adminId }: AdminCaller): Uploader => ({ kind: 'admin', id: adminId });

export const toUserUploader = ({ userId }: OptionalCaller): Uploader =>
  userId === null ? { kind: 'guest', id: null } : { kind: 'user', id: userId };
