import { megabyte, toMegabytes, type UploadExtension } from '#shared/config/upload.ts';
import {
  activeContent,
  ContentFault,
  type ContentSource,
  contentMismatch,
  type OpenContent,
} from './content.ts';
import { hasMagicOf, isText } from './formats.ts';
import { local, readBytes, readDirectory, type ZipEntry } from './zip.ts';

const headBytes = 4096;

const special: Partial<Record<UploadExtension, (content: OpenContent) => Promise<void>>> = {
  svg: checkDrawing,
  docx: (content) => checkOffice(content, 'word/'),
  xlsx: (content) => checkOffice(content, 'xl/'),
  pptx: (content) => checkOffice(content, 'ppt/'),
  txt: checkText,
  md: checkText,
};

/**
 * Checks that a file's bytes match its extension: the first 4 KiB, all of an SVG, the directory of an Office file.
 *
 * A picture with appended bytes, or markup in a text file, passes: both are served under their own type with `nosniff`
 * and a sandbox. A macro in a `doc`, `xls` or `ppt` passes too: these formats hold macros by design.
 *
 * @throws ContentFault; and errors of reading
 */
export async function checkContent(source: ContentSource): Promise<void> {
  const { ext, sizeBytes } = source;
  if (sizeBytes === 0) throw new ContentFault('empty');
  const head = await source.readRange(0, Math.min(headBytes, sizeBytes));
  const check = special[ext] ?? checkMagic;
  await check({ ...source, head });
}

async function checkMagic({ ext, head }: OpenContent): Promise<void> {
  if (!(await hasMagicOf(ext, head))) throw contentMismatch();
}

/** An SVG is read whole, so it has its own limit. */
const maxDrawingBytes = 5 * megabyte;

async function checkDrawing({ head, sizeBytes, readRange }: OpenContent): Promise<void> {
  if (sizeBytes > maxDrawingBytes) {
    throw new ContentFault('too_large', { params: { limit: toMegabytes(maxDrawingBytes) } });
  }
  // The parser is loaded on first use.
  const { checkSvg } = await import('./check-svg.ts');
  checkSvg(sizeBytes > head.length ? await readRange(0, sizeBytes) : head);
}

async function checkText({ head, sizeBytes }: OpenContent): Promise<void> {
  if (!(await isText(head, head.length < sizeBytes))) throw contentMismatch();
}

const contentTypes = '[Content_Types].xml';
// Programs open them only under the extensions docm, xlsm and pptm, which no type allows.
const macro = /(?:^|\/)vbaProject[^/]*\.bin$|^xl\/macrosheets\//i;

/** Checks by the directory that a file is a zip with the parts of its kind of Office document. */
async function checkOffice(source: OpenContent, folder: string): Promise<void> {
  const beginning = await readBytes(source, 0, 4);
  if (beginning?.readUInt32LE() !== local.signature) throw contentMismatch();
  const entries = (await readDirectory(source)) ?? [];
  const types = entries.find(({ name }) => name === contentTypes);
  const part = entries.find(({ name }) => name.startsWith(folder) && !name.endsWith('/'));
  if (!types || !part) throw contentMismatch();
  for (const entry of [types, part]) if (!(await hasLocalHeader(source, entry))) throw contentMismatch();
  const found = entries.find(({ name }) => macro.test(name));
  if (found) throw activeContent(found.name);
}

/** Whether the entry's local header is at the offset that the directory states, with the same name. */
async function hasLocalHeader(source: OpenContent, { name, start }: ZipEntry): Promise<boolean> {
  const bytes = await readBytes(source, start, start + local.bytes + name.length);
  if (bytes?.readUInt32LE(0) !== local.signature) return false;
  return bytes.readUInt16LE(26) === name.length && bytes.toString('latin1', local.bytes) === name;
}
