import { validFiles } from '../fixtures/hostile/files.ts';
import type { Client } from '../support/client.ts';
import { createForm, field, filePart } from './upload-fixture.ts';

/** Uploads a picture as an administrator and returns its record. */
export async function uploadPicture(admin: Client, name: string, cid = '', visibility = 'public') {
  const parts = [
    field('type', 'image'),
    field('cid', cid),
    field('visibility', visibility),
    filePart(name, validFiles.png),
  ];
  const { body, headers } = createForm(parts);
  return (await admin.post('/adminapi/system/upload/file', body, { headers })).data;
}
