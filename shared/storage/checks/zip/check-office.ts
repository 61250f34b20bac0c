import type { UploadExtension } from '#shared/config/upload.ts';
import type { ContentSource } from '../content-source.ts';
import { activeContent, contentMismatch } from '../refusals.ts';
import { readBytes } from './read-bytes.ts';
import { readDirectory, type ZipEntry } from './read-directory.ts';

const contentTypes = '[Content_Types].xml';
const partFolders: Partial<Record<UploadExtension, string>> = { docx: 'word/', xlsx: 'xl/', pptx: 'ppt/' };
// Programs open such files only under their own extensions (docm, xlsm, pptm), which no type allows.
const macro = /(?:^|\/)vbaProject[^/]*\.bin$|^xl\/macrosheets\//i;
const local = { signature: 0x0403_4b50, bytes: 30 };

/**
 * Checks that a file is a zip with the parts of its kind of Office document, by its directory.
 *
 * @throws AppError `upload.content_mismatch`, `upload.active_content` where it holds macros
 */
export async function checkOffice(source: ContentSource): Promise<void> {
  const beginning = await readBytes(source, 0, 4);
  if (beginning?.readUInt32LE() !== local.signature) throw contentMismatch();
  const entries = (await readDirectory(source)) ?? [];
  const folder = partFolders[source.ext];
  const types = entries.find(({ name }) => name === contentTypes);
  const part = entries.find(({ name }) => folder && name.startsWith(folder) && !name.endsWith('/'));
  if (!types || !part) throw contentMismatch();
  for (const entry of [types, part]) if (!(await isWhereSaid(source, entry))) throw contentMismatch();
  const found = entries.find(({ name }) => macro.test(name));
  if (found) throw activeContent(found.name);
}

/** Whether an entry's file begins where the directory says, under the same name. */
async function isWhereSaid(source: ContentSource, { name, start }: ZipEntry): Promise<boolean> {
  const bytes = await readBytes(source, start, start + local.bytes + name.length);
  if (bytes?.readUInt32LE(0) !== local.signature) return false;
  return bytes.readUInt16LE(26) === name.length && bytes.toString('latin1', local.bytes) === name;
}
