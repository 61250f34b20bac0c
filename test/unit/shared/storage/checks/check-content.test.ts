import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { mimeTypes, type UploadExtension } from '#shared/config/upload.ts';
import { checkContent } from '#shared/storage/checks/check-content.ts';
import { ContentFault } from '#shared/storage/checks/content.ts';
import { validFiles } from '../../../../fixtures/hostile/files.ts';
import { createSource } from '../../../../fixtures/hostile/source.ts';
import { catchFault } from './catch-refusal.ts';

const extensions = Object.keys(mimeTypes).filter((ext): ext is UploadExtension => ext in validFiles);
const check = (ext: UploadExtension, bytes: Uint8Array) => checkContent(createSource(ext, bytes));
const isRefused = async (ext: UploadExtension, bytes: Uint8Array | string) =>
  (await catchFault(() => check(ext, Buffer.from(bytes)))).fault;

/** Extensions that the same bytes may have. */
const alike: readonly (readonly UploadExtension[])[] = [
  ['jpg', 'jpeg'],
  ['doc', 'xls', 'ppt'],
  ['txt', 'md'],
];
const mayBe = (ext: UploadExtension, other: UploadExtension): boolean =>
  ext === other ||
  alike.some((group) => group.includes(ext) && group.includes(other)) ||
  (other === 'zip' && ['docx', 'xlsx', 'pptx'].includes(ext)) ||
  (ext === 'svg' && ['txt', 'md'].includes(other));

describe('checkContent', () => {
  test.each(extensions)('accepts a %s only with its own extension', async (ext) => {
    for (const other of extensions) {
      const isAllowed = await check(other, validFiles[ext]).then(
        () => true,
        () => false,
      );
      expect([ext, other, isAllowed]).toEqual([ext, other, mayBe(ext, other)]);
    }
  });

  test('refuses with content_mismatch', async () => {
    const { fault } = await catchFault(() => check('png', validFiles.gif));

    expect(fault).toBe('content_mismatch');
  });

  test.each(extensions)('refuses an empty %s', async (ext) => {
    expect(await isRefused(ext, '')).toBe('empty');
  });

  test.each(extensions.filter((ext) => ext !== 'svg' && !/^(?:doc|xls|ppt)x$/.test(ext)))(
    'reads only the head of a %s',
    async (ext) => {
      const source = createSource(ext, Buffer.concat([validFiles[ext], Buffer.alloc(20_000, ' ')]));

      await checkContent(source);

      expect(source.reads).toEqual([4096]);
    },
  );

  test('reads all of an SVG that is larger than the head', async () => {
    const small = createSource('svg', validFiles.svg);
    const large = createSource('svg', Buffer.concat([validFiles.svg, Buffer.alloc(5000, ' ')]));

    await checkContent(small);
    await checkContent(large);

    expect(small.reads).toEqual([small.sizeBytes]);
    expect(large.reads).toEqual([4096, large.sizeBytes]);
  });

  test('throws the errors of reading', async () => {
    const failure = new Error('engine away');
    const head = Buffer.concat([validFiles.docx, Buffer.alloc(4096)]).subarray(0, 4096);
    const readRange = async (start: number, end: number) => {
      if (end > head.length) throw failure;
      return head.subarray(start, end);
    };

    for (const ext of ['svg', 'docx'] as const) {
      await expect(checkContent({ ext, sizeBytes: 9000, readRange })).rejects.toBe(failure);
    }
  });

  test('accepts any bytes with any extension or throws a fault', async () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 5000 }),
      // A valid file, broken somewhere.
      fc
        .tuple(fc.constantFrom(...Object.values(validFiles)), fc.nat(600), fc.uint8Array({ maxLength: 200 }))
        .map(([file, at, noise]) => Buffer.concat([file.subarray(0, at), noise, file.subarray(at)])),
      fc
        .tuple(fc.constantFrom(...Object.values(validFiles)), fc.nat(600), fc.nat(255))
        .map(([file, at, value]) => Buffer.from(file).fill(value, at % file.length, (at % file.length) + 1)),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...extensions), bytes, async (ext, given) => {
        const outcome = await check(ext, given).catch((error: unknown) => error);
        expect(outcome === undefined || outcome instanceof ContentFault).toBe(true);
      }),
      { numRuns: 3000, interruptAfterTimeLimit: 20_000, markInterruptAsFailure: true },
    );
  });
});
