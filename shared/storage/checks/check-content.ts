import { megabyte, toMegabytes, type UploadExtension } from '#shared/config/upload.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { activeContent, type ContentSource, contentMismatch, headBytes } from './content.ts';
import { hasMagicOf, isText } from './formats.ts';
import { local, readBytes, readDirectory, type ZipEntry } from './zip.ts';

type Check = (source: ContentSource, head: Uint8Array) => Promise<void>;

const special: Partial<Record<UploadExtension, Check>> = {
  svg: checkDrawing,
  docx: checkOffice,
  xlsx: checkOffice,
  pptx: checkOffice,
  txt: checkText,
  md: checkText,
};

/**
 * Checks that a file's bytes match its extension. Reads the first 4 KiB, all of an SVG, and the directory of an
 * Office file. The client's content type is never used.
 *
 * A picture with something appended, or markup in a text file, passes: both are served under their own type
 * with `nosniff` and a sandbox. A macro in an old Office file (`doc`, `xls`, `ppt`) passes as well, because
 * these formats hold macros by design.
 *
 * @throws AppError `upload.empty`; `upload.content_mismatch`; `upload.active_content` for an SVG that could
 *   run or fetch something and for an Office file with macros; and errors of reading
 */
export async function checkContent(source: ContentSource): Promise<void> {
  if (source.sizeBytes === 0) throw new AppError('upload.empty');
  const check = special[source.ext] ?? checkMagic;
  await check(source, source.head.subarray(0, headBytes));
}

async function checkMagic({ ext }: ContentSource, head: Uint8Array): Promise<void> {
  if (!(await hasMagicOf(ext, head))) throw contentMismatch();
}

/** An SVG is read whole, so it has a limit in addition to that of pictures. */
const maxDrawingBytes = 5 * megabyte;

async function checkDrawing(source: ContentSource, head: Uint8Array): Promise<void> {
  if (source.sizeBytes > maxDrawingBytes) {
    throw new AppError('upload.too_large', { params: { limit: toMegabytes(maxDrawingBytes) } });
  }
  // The parser is loaded on first use.
  const { checkSvg } = await import('./check-svg.ts');
  checkSvg(source.sizeBytes > head.length ? await source.readAll() : head);
}

async function checkText({ sizeBytes }: ContentSource, head: Uint8Array): Promise<void> {
  if (!(await isText(head, head.length < sizeBytes))) throw contentMismatch();
}

const contentTypes = '[Content_Types].xml';
const partFolders: Partial<Record<UploadExtension, string>> = { docx: 'word/', xlsx: 'xl/', pptx: 'ppt/' };
// Programs open them only under the extensions docm, xlsm and pptm, which no type allows.
const macro = /(?:^|\/)vbaProject[^/]*\.bin$|^xl\/macrosheets\//i;

/**
 * Checks that a file is a zip with the parts of its kind of Office document, by its directory.
 *
 * @throws AppError `upload.content_mismatch`; `upload.active_content` if it holds macros
 */
async function checkOffice(source: ContentSource): Promise<void> {
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

/** Whether an entry's file begins where the directory says, with the same name. */
async function isWhereSaid(source: ContentSource, { name, start }: ZipEntry): Promise<boolean> {
  const bytes = await readBytes(source, start, start + local.bytes + name.length);
  if (bytes?.readUInt32LE(0) !== local.signature) return false;
  return bytes.readUInt16LE(26) === name.length && bytes.toString('latin1', local.bytes) === name;
}
