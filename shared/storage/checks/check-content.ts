import { megabyte, toMegabytes, type UploadExtension } from '#shared/config/upload.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { type ContentSource, headBytes } from './content-source.ts';
import { hasMagicOf } from './magic.ts';
import { contentMismatch } from './refusals.ts';
import { isText } from './text.ts';
import { checkOffice } from './zip/check-office.ts';

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
 * Checks that a file's bytes are what its extension says. Works from the first 4 KiB; reads all of an SVG,
 * and the directory of an Office file. What a client called the content type is never looked at.
 *
 * A picture with something else behind it, or markup in a text file, passes: both are served under their own
 * type with `nosniff` and a sandbox, and are nothing else there. A macro inside an old Office file (`doc`,
 * `xls`, `ppt`) passes as well, for these formats carry it by design.
 *
 * @throws AppError `upload.empty`; `upload.content_mismatch`; `upload.active_content` for an SVG that could
 *   run or fetch something and for an Office file with macros; and whatever reading throws
 */
export async function checkContent(source: ContentSource): Promise<void> {
  if (source.sizeBytes === 0) throw new AppError('upload.empty');
  const check = special[source.ext] ?? checkMagic;
  await check(source, source.head.subarray(0, headBytes));
}

async function checkMagic({ ext }: ContentSource, head: Uint8Array): Promise<void> {
  if (!(await hasMagicOf(ext, head))) throw contentMismatch();
}

/** It is read whole, whatever operators allow for pictures. */
const maxDrawingBytes = 5 * megabyte;

async function checkDrawing(source: ContentSource, head: Uint8Array): Promise<void> {
  if (source.sizeBytes > maxDrawingBytes) {
    throw new AppError('upload.too_large', { params: { limit: toMegabytes(maxDrawingBytes) } });
  }
  // The parser is loaded by those who need it.
  const { checkSvg } = await import('./svg/check-svg.ts');
  checkSvg(source.sizeBytes > head.length ? await source.readAll() : head);
}

async function checkText({ sizeBytes }: ContentSource, head: Uint8Array): Promise<void> {
  if (!(await isText(head, head.length < sizeBytes))) throw contentMismatch();
}
