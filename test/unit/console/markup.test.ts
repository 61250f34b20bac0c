import { describe, expect, test } from '@jest/globals';
import { findLoss, isLink, kept, keptAttributes } from '#console/kit/rich-text/markup.ts';
import { commonAttributes, richTextElements } from '#shared/media/rich-text-list.ts';
import { sanitizeHtml } from '#shared/media/sanitize-html.ts';

describe('markup that the editor would remove', () => {
  test.each([
    ['<h2>a</h2><p>b <strong>c</strong> <a href="/x">d</a></p><img src="/x.png" alt="e">', []],
    ['', []],
    ['a < b & c', []],
    ['<table><tr><td style="width:5px">a</td></tr></table>', ['table', 'tbody', 'tr', 'td', 'td[style]']],
    ['<p style="color:red">a</p><p style="color:blue">b</p>', ['p[style]']],
    ['<ul><li><video src="/x.mp4" controls></video></li></ul>', ['video', 'video[src]', 'video[controls]']],
    ['<img src="/x.png" onerror="alert(1)">', ['img[onerror]']],
  ])('of %s is %j', (html, loss) => {
    expect(findLoss(html)).toEqual(loss);
  });
});

describe('what the editor keeps', () => {
  test.each([...kept])('is kept by the service: %s', (element) => {
    const allowed = [...(richTextElements[element] ?? []), ...commonAttributes];

    expect(richTextElements).toHaveProperty([element]);
    expect(allowed).toEqual(expect.arrayContaining([...(keptAttributes[element] ?? [])]));
  });
});

describe('a link', () => {
  test.each(['https://example.org/a?b=c', 'http://localhost', 'mailto:a@example.org', '/console/'])(
    'may be %s',
    (text) => {
      const html = `<a href="${text}">x</a>`;

      expect(isLink(text)).toBe(true);
      expect(sanitizeHtml(html)).toBe(html);
    },
  );

  test.each([
    '',
    'example.org',
    'javascript:alert(1)',
    '//example.org',
    'https://',
    'https://a b',
    'data:text/html,x',
  ])('is not %j', (text) => {
    expect(isLink(text)).toBe(false);
  });
});
