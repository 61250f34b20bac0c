import { describe, expect, test } from '@jest/globals';
import { findLoss, isLink } from '#console/kit/rich-text/markup.ts';
import { sanitizeHtml } from '#shared/media/sanitize-html.ts';

describe('markup that the editor would remove', () => {
  test.each([
    ['<h2>a</h2><p>b <strong>c</strong> <a href="/x">d</a></p><img src="/x.png" alt="e">', []],
    ['', []],
    ['a < b & c', []],
    ['<table><tr><td style="width:5px">a</td></tr></table>', []],
    ['<p style="color:red">a</p><ul><li><video src="/x.mp4" controls></video></li></ul>', []],
    ['<p style="position:fixed">a</p><p style="position:fixed">b</p>', ['p[style]']],
    ['<img src="/x.png" onerror="alert(1)">', ['img[onerror]']],
    ['<script>x</script><form><p id="a">b</p></form>', ['script', 'form', 'p[id]']],
    ['<div>'.repeat(300), ['div']],
  ])('of %s is %j', (html, loss) => {
    expect(findLoss(html)).toEqual(loss);
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
