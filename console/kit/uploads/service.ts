import {
  type FileRecord,
  systemAdminUploadComplete,
  systemAdminUploadDirect,
  systemApiUploadPartGet,
} from '#build/console/api.ts';
import type { UploadType } from '#shared/config/upload.ts';
import { ApiError, authentication, withLogin } from '../../base/api.ts';
import { locale } from '../../base/locale.ts';
import { bodyOf } from './direct-body.ts';
import type { Ticket, UploadService } from './run-upload.ts';
import { sendBytes, type UploadAnswer } from './send-bytes.ts';

export type { FileRecord };

/** A file of the operator, and where it goes. */
export interface UploadSource {
  file: File;
  type: UploadType;
  /** Category; null for none. */
  cid: string | null;
  isPrivate: boolean;
}

export const service: UploadService<UploadSource, FileRecord> = {
  async sendForm({ file, type, cid, isPrivate }, onSent, signal) {
    const form = new FormData();
    form.append('type', type);
    if (cid) form.append('cid', cid);
    if (isPrivate) form.append('visibility', 'private');
    form.append('file', file, file.name);
    return withLogin(async (token) => {
      const headers = { 'x-language': locale.value, authorization: `Bearer ${token}` };
      const target = { url: '/adminapi/system/upload/file', headers };
      const answer = await sendBytes(target, form, file.size, onSent, signal);
      return readAnswer(answer).data;
    });
  },

  async begin({ file, type, cid, isPrivate }, signal) {
    const { data } = await systemAdminUploadDirect(
      {
        type,
        name: file.name,
        size: file.size,
        ...(cid && { cid }),
        ...(isPrivate && { visibility: 'private' }),
      },
      {},
      { signal },
    );
    return data;
  },

  async send({ file }, ticket, { start, end }, onSent, signal) {
    const { method, headers } = ticket;
    const body = bodyOf(ticket, file, start, end);
    const answer = await sendBytes(
      { method, headers, url: addressOf(ticket) },
      body,
      end - start,
      onSent,
      signal,
    );
    if (ticket.part_size !== undefined) readAnswer(answer);
    else readEngineAnswer(answer);
  },

  async countReceived(ticket, signal) {
    const { data } = await systemApiUploadPartGet(ticket.ticket, {}, { signal });
    return data.offset;
  },

  complete: async ({ ticket }) => (await systemAdminUploadComplete({ ticket })).data,
};

/** Parts go to this service, by the address under which the console is open; anything else to the engine. */
function addressOf({ url, part_size }: Ticket): string {
  return part_size === undefined ? url : new URL(url).pathname;
}

/** @throws ApiError for a refusal of this service */
function readAnswer({ status, text, retryAfter }: UploadAnswer) {
  authentication.lost(status === 0);
  const envelope = parseJson(text);
  if (status >= 200 && status < 300) return envelope;
  throw new ApiError(`${status}`, status, envelope, retryAfter);
}

/** @throws ApiError for a refusal of a storage engine, whose answers are XML or JSON of their own */
function readEngineAnswer({ status, text }: UploadAnswer): void {
  if (status >= 200 && status < 300) return;
  const isOffline = status === 0 && !navigator.onLine;
  const code = status === 0 ? 'engine.unreachable' : 'engine.refused';
  const reason = /<Message>([^<]*)|"error":\s*"([^"]*)/.exec(text);
  throw new ApiError('', status, {
    code: isOffline ? 'network' : code,
    message: reason?.[1] ?? reason?.[2] ?? `${status}`,
  });
}

function parseJson(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
