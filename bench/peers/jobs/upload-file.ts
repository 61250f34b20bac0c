import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { fileTypeFromBuffer } from 'file-type';
import { ulid } from 'ulid';
import { readAsAdmin } from './login.ts';
import { Refusal } from './refusal.ts';
import { renderFile } from './render-file.ts';
import { table, tableName } from './table.ts';

/** A file as forms send it. */
export interface FormFile {
  name: string;
  bytes: Uint8Array;
}

/** The text fields of the form. */
export interface UploadFields {
  type: 'image';
  module: string;
  tag: string;
}

/** Most bytes of a picture. */
export const maxBytes = 5 * 1024 * 1024;

const extensions = ['jpg', 'jpeg', 'png', 'gif', 'bmp', 'webp'];

/** Checks a picture, writes it to the disk and records it. */
export async function uploadFile(
  authorization: string | undefined,
  place: UploadFields,
  file: FormFile | undefined,
) {
  const { adminId } = await readAsAdmin(authorization);
  if (!file) throw new Refusal(422, 'no file');
  const { ext, mime } = await checkPicture(file);
  const id = ulid();
  const created_at = new Date().toISOString();
  const key = createPath(created_at, ext);
  const target = join(process.env.STORAGE_DIR ?? '', 'uploads', key);
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, file.bytes);
  const size = file.bytes.length;
  const Item = {
    ...{
      pk: `FILE#${id}`,
      sk: `FILE#${id}`,
      gsi1pk: 'FILE',
      gsi1sk: id,
      gsi3pk: 'FILE_TYPE#image',
      gsi3sk: id,
    },
    ...{ id, ...place, name: file.name, name_lower: file.name.toLowerCase(), uri: `storage/uploads/${key}` },
    ...{ key, ext, mime, size, engine: 'local', uploader_kind: 'admin', uploader_id: adminId, created_at },
  };
  await table.send(
    new PutCommand({ TableName: tableName, Item, ConditionExpression: 'attribute_not_exists(pk)' }),
  );
  return renderFile(Item);
}

async function checkPicture({ name, bytes }: FormFile): Promise<{ ext: string; mime: string }> {
  const ext = extname(name).slice(1).toLowerCase();
  if (!extensions.includes(ext)) throw new Refusal(422, 'no picture by its name');
  if (bytes.length === 0 || bytes.length > maxBytes) throw new Refusal(413, 'too large, or empty');
  const found = await fileTypeFromBuffer(bytes);
  if (found?.ext !== (ext === 'jpeg' ? 'jpg' : ext)) throw new Refusal(422, 'no picture by its content');
  return { ext, mime: found.mime };
}

function createPath(now: string, ext: string): string {
  const [day = '', time = ''] = now.split('T').map((part) => part.replace(/\D/g, ''));
  return `image/${day}/${time.slice(0, 6)}${randomBytes(12).toString('hex')}.${ext}`;
}
