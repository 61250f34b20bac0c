import { describe, expect, test } from '@jest/globals';
import { checkContent } from '#shared/storage/checks/check-content.ts';
import { listOfficeParts } from '../../../../fixtures/hostile/files.ts';
import { createSource } from '../../../../fixtures/hostile/source.ts';
import { createZip, type ZipPart } from '../../../../fixtures/hostile/zip.ts';
import { catchFault } from './catch-refusal.ts';

const parts = listOfficeParts('word');
const check = (bytes: Uint8Array) => checkContent(createSource('docx', bytes));
const withPart = (part: Partial<ZipPart>): Buffer =>
  createZip(parts.map((given) => (given.name === 'word/document.xml' ? { ...given, ...part } : given)));
const patch = (bytes: Buffer, change: (copy: Buffer) => void): Buffer => {
  const copy = Buffer.from(bytes);
  change(copy);
  return copy;
};
const plain = createZip(parts);
const long = createZip(parts, { isZip64: true });
const large: ZipPart = { name: 'word/media/a.png', content: Buffer.alloc(300_000, 1) };

describe('checkContent of false zips', () => {
  test.each([
    ['no content types', createZip(parts.slice(1))],
    ['no part of its kind', createZip(parts.slice(0, 2))],
    ['a folder for a part', createZip([...parts.slice(0, 2), { name: 'word/' }])],
    ['the part of another kind', createZip(listOfficeParts('xl'))],
    ['no directory', createZip(parts).subarray(0, -22)],
    ['something behind the directory', Buffer.concat([createZip(parts), Buffer.from('a')])],
    ['something before the files', Buffer.concat([Buffer.from('#!/bin/sh\n'), createZip(parts)])],
    ['a directory that begins elsewhere', createZip(parts, { saidDirectoryStart: 1 })],
    ['a directory beyond the file', createZip(parts, { saidDirectoryStart: 0x7fffffff })],
    ['a directory of another length', createZip(parts, { saidDirectoryBytes: 46 })],
    ['fewer entries than said', createZip(parts, { saidEntries: 4 })],
    ['more entries than said', createZip(parts, { saidEntries: 2 })],
    ['65,535 entries said', createZip(parts, { saidEntries: 0xffff })],
    ['a zip64 count that lies', createZip(parts, { isZip64: true, saidEntries: 1_000_000_000 })],
    ['a zip64 directory that lies', createZip(parts, { isZip64: true, saidDirectoryBytes: 2 ** 50 })],
    ['an encrypted part', withPart({ isEncrypted: true })],
    ['an entry twice', createZip([...parts, { name: 'WORD/document.xml' }])],
    ['a part under another name', withPart({ name: 'evil.exe', saidName: 'word/document.xml' })],
    [
      'a part of that length under another name',
      withPart({ name: 'word/document.exe', saidName: 'word/document.xml' }),
    ],
    ['a longer name at its part', withPart({ name: 'word/document.xml.exe', saidName: 'word/document.xml' })],
    ['a part that begins elsewhere', withPart({ saidStart: 7 })],
    ['a part beyond the file', withPart({ saidStart: 0x7ffffff0 })],
    ['a part larger than the file', withPart({ saidSizeBytes: 1_000_000 })],
    ['parts that lie over each other', createZip([...parts, { ...large, saidSizeBytes: 300_001 }])],
    [
      'a gap before the end',
      Buffer.concat([plain.subarray(0, -22), Buffer.from('gap'), plain.subarray(-22)]),
    ],
    ['a second volume', patch(plain, (copy) => copy.writeUInt16LE(1, copy.length - 18))],
    ['two counts', patch(plain, (copy) => copy.writeUInt16LE(9, copy.length - 14))],
    ['two zip64 counts', patch(long, (copy) => copy.writeUInt16LE(9, copy.length - 74))],
    ['a zip64 record elsewhere', patch(long, (copy) => copy.writeUInt16LE(9, copy.length - 34))],
    ['zip64 and other numbers', patch(long, (copy) => copy.writeUInt32LE(9, copy.length - 6))],
    [
      'an entry longer than the rest',
      patch(plain, (copy) => copy.writeUInt16LE(9, copy.lastIndexOf('PK\x01\x02') + 32)),
    ],
    [
      'an entry without its signature',
      patch(plain, (copy) => copy.write('XX', copy.lastIndexOf('PK\x01\x02'))),
    ],
    [
      'a part without its signature',
      patch(plain, (copy) => copy.write('XX', copy.lastIndexOf('PK\x03\x04'))),
    ],
    ['another beginning', patch(createZip([{ name: 'a' }, ...parts]), (copy) => copy.write('MZ'))],
    [
      'its part beyond a large file',
      createZip([{ ...large, name: 'a' }, ...parts.slice(0, 2), { name: 'word/a', saidStart: 0x7ffffff0 }]),
    ],
    ['a cut', createZip(parts).subarray(0, 100)],
    ['nothing but a beginning', Buffer.from('PK\x03\x04')],
    ['only an end', createZip([])],
  ])('refuses one with %s', async (_, bytes) => {
    expect(await catchFault(() => check(bytes))).toMatchObject({ fault: 'content_mismatch' });
  });

  test.each([0, 1, 2, 3, 4])('refuses a file if only %d reads return bytes', async (count) => {
    const given = createSource('docx', createZip([large, ...parts]));
    let reads = 0;
    const readRange = async (start: number, end: number) => {
      reads += 1;
      return reads > count ? new Uint8Array(0) : given.readRange(start, end);
    };

    expect(await catchFault(() => checkContent({ ...given, readRange }))).toMatchObject({
      fault: 'content_mismatch',
    });
  });
});
