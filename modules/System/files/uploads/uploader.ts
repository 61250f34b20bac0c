import type { AdminCaller } from '#shared/http/gates/admin-auth.ts';
import type { OptionalCaller } from '#shared/http/gates/api-try-auth.ts';
import type { Uploader } from '../records/file-record.ts';

export const toAdminUploader = ({ adminId }: AdminCaller): Uploader => ({ kind: 'admin', id: adminId });

export const toUserUploader = ({ userId }: OptionalCaller): Uploader =>
  userId === null ? { kind: 'guest', id: null } : { kind: 'user', id: userId };
