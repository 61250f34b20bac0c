import * as z from 'zod/mini';
import { validFiles } from '../fixtures/hostile/files.ts';
import type { RunningServer } from '../support/local-server.ts';

export const fileData = z.looseObject({ id: z.string(), url: z.string(), cid: z.nullable(z.string()) });
const uploaded = z.object({ data: fileData });

/** Uploads a picture as an administrator and returns its record. */
export async function uploadPicture(server: RunningServer, token: string, name: string, cid = '') {
  const form = new FormData();
  form.append('type', 'image');
  form.append('cid', cid);
  form.append('file', new File([new Uint8Array(validFiles.png)], name));
  const response = await fetch(`${server.url}/adminapi/system/upload/file`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  });
  return z.parse(uploaded, await response.json()).data;
}
