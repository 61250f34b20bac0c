import { describe, expect, test } from '@jest/globals';
import { checkContent } from '#shared/storage/checks/check-content.ts';
import { listOfficeParts } from '../../../../fixtures/hostile/files.ts';
import { createSource } from '../../../../fixtures/hostile/source.ts';
import { createZip, type ZipPart } from '../../../../fixtures/hostile/zip.ts';
import { catchFault } from './catch-refusal.ts';

const parts = listOfficeParts('word');
const check = (bytes: Uint8Array) => checkContent(createSource('docx', bytes));
const large: ZipPart = { name: 'word/media/a.png', content: Buffer.alloc(300_000, 1) };

describe('checkContent of Office files', () => {
  test.each([
    ['a comment', createZip(parts, { comment: 'made by a program' })],
    ['the longest comment', createZip(parts, { comment: 'a'.repeat(65_535) })],
    ['zip64 records', createZip(parts, { isZip64: true })],
    ['zip64 records and much content', createZip([large, ...parts], { isZip64: true })],
    ['its parts at the end', createZip([large, ...parts.toReversed()])],
    ['folders of their own', createZip([{ name: 'word/' }, ...parts])],
    ['an embedded workbook', createZip([...parts, { name: 'word/embeddings/a.xlsx', content: 'PK' }])],
  ])('lets one with %s pass', async (_, bytes) => {
    await expect(check(bytes)).resolves.toBeUndefined();
  });

  test.each([
    'word/vbaProject.bin',
    'word/VBAPROJECT.BIN',
    'word/vbaProjectSignature.bin',
    'xl/macrosheets/sheet1.xml',
  ])('refuses the macros in %s', async (name) => {
    const { fault, params } = await catchFault(() => check(createZip([...parts, { name, content: 'a' }])));

    expect(fault).toBe('active_content');
    expect(params).toEqual({ found: name });
  });

  test('reads a bounded part of a large file, and unpacks nothing', async () => {
    const source = createSource(
      'docx',
      createZip([...parts, { ...large, content: Buffer.alloc(20_000_000) }]),
    );

    await checkContent(source);

    expect(source.reads.reduce((sum, count) => sum + count, 0)).toBeLessThan(70_000);
  });

  test('does not read a directory of more than 2 MiB', async () => {
    const many = Array.from({ length: 9000 }, (_, index) => ({ name: `word/${index}${'a'.repeat(240)}` }));
    const source = createSource('docx', createZip([...parts, ...many]));

    expect(await catchFault(() => checkContent(source))).toMatchObject({ fault: 'content_mismatch' });
    expect(Math.max(...source.reads)).toBeLessThanOrEqual(65_557);
  });

  test('refuses more than 10,000 entries', async () => {
    const many = Array.from({ length: 10_000 }, (_, index) => ({ name: `word/${index}` }));

    await expect(check(createZip([...parts, ...many.slice(3)]))).resolves.toBeUndefined();
    expect(await catchFault(() => check(createZip([...parts, ...many])))).toMatchObject({
      fault: 'content_mismatch',
    });
  });
});
