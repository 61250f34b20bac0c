import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { checkContent } from '#shared/storage/checks/check-content.ts';
import { validFiles } from '../../../../fixtures/hostile/files.ts';
import { createSource } from '../../../../fixtures/hostile/source.ts';
import { catchFault } from './catch-refusal.ts';

const check = (bytes: Uint8Array) => checkContent(createSource('txt', bytes));
const swapped = (text: string) => Buffer.from(text, 'utf16le').swap16();

describe('checkContent of text', () => {
  test.each([
    ['ASCII', Buffer.from('a\tb\r\nc\f')],
    ['UTF-8', Buffer.from('中文 é 😀')],
    ['UTF-8 with a mark', Buffer.from('\ufeff中文')],
    ['UTF-16 LE', Buffer.from('\ufeffPlain 中文 😀', 'utf16le')],
    ['UTF-16 BE', swapped('\ufeffPlain 中文 😀')],
    ['GB18030', Buffer.from('d6d0cec4 0a 81308130'.replace(/ /g, ''), 'hex')],
    ['colours of a terminal', Buffer.from('\x1b[31mred\x1b[0m')],
    ['a page', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['a script', Buffer.from('#!/bin/sh\nrm -rf /')],
  ])('lets %s pass', async (_, bytes) => {
    await expect(check(bytes)).resolves.toBeUndefined();
  });

  test.each([
    'The wide world',
    'The free lunch',
    'BMW report',
    'MZ is a magic number',
    'GIF drawings',
    'FORM 12',
    'MAC address',
    'ID3 tags',
    'solid ground',
    '%!PS is how it begins',
    '%PDF is a format',
    'I ftyp nothing',
    `G${'a'.repeat(187)}G`,
    'BEGIN:VCARD',
    '<?xml version="1.0"?><a/>',
  ])('lets words pass that look like a signature: %s', async (text) => {
    await expect(check(Buffer.from(text))).resolves.toBeUndefined();
  });

  test.each([
    ['a NUL', Buffer.from('a\0b')],
    ['a NUL in UTF-16', Buffer.from('\ufeffa\0b', 'utf16le')],
    ['UTF-16 without a mark', Buffer.from('ab', 'utf16le')],
    ['UTF-32', Buffer.from('fffe000061000000', 'hex')],
    ['half a UTF-16 character', Buffer.from('fffe61', 'hex')],
    ['half a surrogate pair', Buffer.from('\ufeff\ud83da', 'utf16le')],
    ['a cut character at its end', Buffer.from('61d6', 'hex')],
    ['bytes of no encoding', Buffer.from('61ff62', 'hex')],
    ['a PDF of letters', Buffer.from('%PDF-1.4\n1 0 obj')],
    ['a PDF behind a mark', Buffer.from('\ufeff%PDF-1.4\n1 0 obj')],
    ['a GIF of letters', Buffer.from('GIF89aaaaaa')],
    ['a RIFF of letters', Buffer.from('RIFFaaaaWEBPVP8 ')],
    ['a zip without a NUL', Buffer.from('PK\x03\x04aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa')],
    ['an executable', Buffer.from('MZ\x01\x02aaaaa')],
    ['gzip', Buffer.from('1f8b080101010101', 'hex')],
    ['an ELF', Buffer.from('\x7fELF\x01\x01\x01aaaaaaaaaa')],
    ['a PNG', validFiles.png],
  ])('refuses %s', async (_, bytes) => {
    expect(await catchFault(() => check(bytes))).toMatchObject({ fault: 'content_mismatch' });
  });

  test.each([
    ['utf-8', Buffer.from('中')],
    ['gb18030', Buffer.from('d6d0', 'hex')],
    ['utf-16', Buffer.from('\u4e2d', 'utf16le')],
  ])('accepts %s at every place where the head ends', async (encoding, character) => {
    const mark = Buffer.from(encoding === 'utf-16' ? 'fffe' : '', 'hex');
    for (const shift of [0, 1, 2]) {
      const filler = encoding === 'utf-16' ? Buffer.from('aa', 'utf16le') : Buffer.alloc(shift, 'a');
      const text = Array.from({ length: 3000 }, () => character);
      await expect(check(Buffer.concat([mark, filler, ...text]))).resolves.toBeUndefined();
    }
  });

  test('accepts every well-formed text in every supported encoding', async () => {
    const word = fc.string({ unit: 'grapheme' }).map((text) => text.replace(/\p{Cc}/gu, ''));
    await fc.assert(
      fc.asyncProperty(word, async (text) => {
        const given = `Text: ${text}`;
        await check(Buffer.from(given));
        await check(Buffer.from(`\ufeff${given}`, 'utf16le'));
        await check(swapped(`\ufeff${given}`));
      }),
    );
  });
});
