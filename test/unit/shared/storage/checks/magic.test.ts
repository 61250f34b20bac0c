import { describe, expect, test } from '@jest/globals';
import type { UploadExtension } from '#shared/config/upload.ts';
import { checkContent } from '#shared/storage/checks/check-content.ts';
import * as hostile from '../../../../fixtures/hostile/files.ts';
import { createSource } from '../../../../fixtures/hostile/source.ts';
import { catchFault } from './catch-refusal.ts';

const { validFiles } = hostile;
const check = (ext: UploadExtension, bytes: Uint8Array) => checkContent(createSource(ext, bytes));
const isRefused = async (ext: UploadExtension, bytes: Uint8Array | string) =>
  (await catchFault(() => check(ext, Buffer.from(bytes)))).fault;

describe('checkContent by magic number', () => {
  test.each([
    [
      'png',
      'a colour profile longer than the head',
      hostile.createPng(hostile.createPngChunk('iCCP', Buffer.alloc(9000))),
    ],
    ['png', 'an animation', hostile.createPng(hostile.createPngChunk('acTL', Buffer.alloc(8)))],
    ['mp4', 'the brand mp42', hostile.createFilm('mp42')],
    ['mp4', 'a film of an old phone', hostile.createFilm('3gp5')],
    ['mp4', 'the brand M4V', hostile.createFilm('M4V ')],
    ['mov', 'no ftyp box', hostile.createBox('moov', Buffer.alloc(8))],
    ['mov', 'a long mdat box', Buffer.from('0320000d6d64617400', 'hex')],
    ['rar', 'version 5', Buffer.from('526172211a070100', 'hex')],
    ['zip', 'no files', Buffer.concat([Buffer.from('PK\x05\x06'), Buffer.alloc(18)])],
    ['wmv', 'streams beyond the head', hostile.createAsf('video').subarray(0, 30)],
    [
      'gif',
      'an HTML page behind it',
      Buffer.concat([validFiles.gif, Buffer.from('<script>alert(1)</script>')]),
    ],
    [
      'jpg',
      'an HTML page behind it',
      Buffer.concat([validFiles.jpg, Buffer.from('<script>alert(1)</script>')]),
    ],
  ] as const)('lets a %s pass with %s', async (ext, _, bytes) => {
    await expect(check(ext, bytes)).resolves.toBeUndefined();
  });

  test.each([
    ['jpg', 'a script', '<?php system($_GET[0]);'],
    ['jpg', 'JPEG-LS', Buffer.from('ffd8fff7', 'hex')],
    ['jpg', 'a mark before it', Buffer.concat([Buffer.from('\ufeff'), validFiles.jpg])],
    ['pdf', 'an ID3 tag before it', Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\0\0'), validFiles.pdf])],
    ['gif', 'only three letters of it', 'GIF drawing'],
    ['bmp', 'only two letters of it', 'BM<script>alert(1)</script>'],
    ['pdf', 'no version', '%PDF is a format'],
    ['mov', 'words', 'The wide world'],
    ['mp4', 'QuickTime', hostile.createFilm('qt  ')],
    ['mov', 'MP4', hostile.createFilm('isom')],
    ['mp4', 'a photo of a phone', hostile.createFilm('heic')],
    ['mp4', 'music', hostile.createFilm('M4A ')],
    ['wmv', 'music', hostile.createAsf('audio')],
    ['mkv', 'another document type', hostile.createMatroska('other')],
    ['webm', 'endless fields', Buffer.concat([Buffer.from('1a45dfa3', 'hex'), Buffer.alloc(4000)])],
    ['png', 'a cut in its signature', validFiles.png.subarray(0, 7)],
    ['zip', 'something before it', Buffer.concat([Buffer.from('MZ'), validFiles.zip])],
    ['doc', 'RTF', '{\\rtf1 a}'],
    ['doc', 'HTML', '<html><body>a</body></html>'],
    ['rar', 'version 9', Buffer.from('526172211a070900', 'hex')],
    ['webp', 'sound', Buffer.from('RIFF\x1c\0\0\0WAVE')],
  ] as const)('refuses a %s that is %s', async (ext, _, bytes) => {
    expect(await isRefused(ext, bytes)).toBe('content_mismatch');
  });
});
