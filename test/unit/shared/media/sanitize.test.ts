import '../../../support/environment.ts';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import * as z from 'zod/mini';
import { convertMedia } from '#shared/media/convert-media.ts';
import { mediaHtml } from '#shared/media/media-html.ts';
import { mediaUrl } from '#shared/media/media-url.ts';
import { richTextElements } from '#shared/media/rich-text-list.ts';
import { sanitizeHtml, structureLimits } from '#shared/media/sanitize-html.ts';
import { anyString } from '../../../support/any-string.ts';

describe('sanitizeHtml', () => {
  test.each([
    `<P Class=x>\r\n<img src='storage/a.png' srcset="a 2x" alt="b">&nbsp;<br/>`,
    '<p>a & b < c &lt; d</p> text',
    '<p style="color: #f00; text-align:center;">a</p>',
    '<table><tr><td colspan=2>one cell</table>',
    '<ul><li>one<li>two</ul></div>',
    '<a href=#top target=_blank>up</a><a href="mailto:a@example.com">mail</a><a href=tel:123>call</a>',
    '<img src="data:image/png;base64,AAAA"><img src="blob:https://www.example.com/1">',
    '<video src="storage/a.mp4" poster=b.png controls></video><div data-kind="note" lang=en>x</div>',
    '',
  ])('keeps %j byte for byte', (html) => {
    expect(sanitizeHtml(html)).toBe(html);
  });

  test.each([
    ['a handler', '<img src=x onerror=alert(1)>', '<img src="x">'],
    ['a script', 'a<script>alert(1)</script>b', 'ab'],
    ['a link that runs a script', '<a href="javascript:alert(1)">x</a>', '<a>x</a>'],
    ['its scheme in pieces', '<a href="&#1;java\nscript&colon;alert(1)">x</a>', '<a>x</a>'],
    ['a link to data', '<a href="data:text/html,<script>alert(1)</script>">x</a>', '<a>x</a>'],
    ['SVG and MathML', 'a<svg><a xlink:href="javascript:alert(1)">b</a></svg><math>c</math>d', 'ad'],
    ['an element that is not known, without its text', '<form action=/x><b>text</b></form>', '<b>text</b>'],
    ['a position', '<p style="position:fixed;top:0">x</p>', '<p>x</p>'],
    ['an address in a style', '<p style="background-color:url(//evil.example)">x</p>', '<p>x</p>'],
    ['an escape in a style', '<p style="color:\\75rl(x)">x</p>', '<p>x</p>'],
    ['an ID', '<p id=cookie>x</p>', '<p>x</p>'],
    ['a comment', 'a<!-- b -->c', 'ac'],
    ['a frame', '<iframe srcdoc="<script>alert(1)</script>"></iframe>x', 'x'],
    ['attributes of the page', '<p>x</p><body onload=alert(1)>', '<p>x</p>'],
    ['a tag that is not closed', '<p>x <img src=x onerror=alert(1) ', '<p>x </p>'],
    ['a cell outside of a table', '<td onclick=alert(1)>x', 'x'],
  ])('removes %s', (_title, html, expected) => {
    expect(sanitizeHtml(html)).toBe(expected);
  });

  test('keeps a large table, which has as many elements as tags', () => {
    const row = `<tr>${'<td>1</td>'.repeat(10)}</tr>`;
    const table = `<table><tbody>${row.repeat(structureLimits.elements / 10)}</tbody></table>`;

    expect(sanitizeHtml(table)).toBe(table);
  });

  test('refuses a text whose elements a parser repeats', () => {
    const bold = Array.from({ length: 200 }, (_, place) => `<b title=${place}>`).join('');

    expect(sanitizeHtml(`<p>${bold}${'<p>x'.repeat(200)}`)).toBeUndefined();
  });

  test('refuses elements that are nested deeper than its limit', () => {
    expect(sanitizeHtml('<div>'.repeat(structureLimits.levels))).toBeDefined();
    expect(sanitizeHtml('<div>'.repeat(structureLimits.levels + 1))).toBeUndefined();
  });

  const names = [
    ...Object.keys(richTextElements),
    'script',
    'svg',
    'math',
    'style',
    'form',
    'body',
    'title',
    'x',
  ];
  const values = ['x', 'javascript:1', '"', "'", '<b>', '&amp;', '<!--', 'a:b', ''];
  const piece = fc.oneof(
    fc
      .tuple(
        fc.constantFrom(...names),
        fc.constantFrom('href', 'src', 'onclick', 'style', 'id', 'class', 'data-a'),
        fc.constantFrom(...values),
        fc.constantFrom('"', "'", ''),
      )
      .map(([name, attribute, value, quote]) => `<${name} ${attribute}=${quote}${value}${quote}>`),
    fc.constantFrom(...names).map((name) => `</${name}>`),
    fc.constantFrom('<!--', '-->', '<', '>', '&', '&lt;script&gt;', ']]>', '<![CDATA[', '\0', 'text'),
    anyString({ maxLength: 5 }),
  );
  const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));

  test('leaves nothing that is not allowed, in any place of a page', () => {
    fc.assert(
      fc.property(text, fc.constantFrom('<div>', '<table>', '<p>', '<ul><li>', ''), (html, before) => {
        const page = parse(`<!doctype html><body>${before}${sanitizeHtml(html)}</div><x-end></x-end>`);
        const found = [...listElements(page)];

        for (const { tagName, attrs } of found) {
          if (!['html', 'head', 'body', 'x-end'].includes(tagName))
            expect(richTextElements).toHaveProperty([tagName]);
          for (const { name, value } of attrs) {
            expect(name).not.toMatch(/^on|^id$/);
            expect(`${name}=${value}`).not.toMatch(/^href=\s*javascript/i);
          }
        }
        expect(found.some(({ tagName }) => tagName === 'x-end')).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  test('changes a text once at most', () => {
    fc.assert(
      fc.property(text, (html) => {
        const once = sanitizeHtml(html) ?? '';
        expect(sanitizeHtml(once)).toBe(once);
      }),
      { numRuns: 2000 },
    );
  });
});

function* listElements(node: DefaultTreeAdapterTypes.Node): Generator<DefaultTreeAdapterTypes.Element> {
  if ('tagName' in node) yield node;
  for (const child of 'childNodes' in node ? node.childNodes : []) yield* listElements(child);
}

describe('a field with rich text', () => {
  const field = mediaHtml();

  test('is sanitised when it is saved, and older text when it is answered', () => {
    expect(z.parse(field, '<p onclick=x>a</p>')).toBe('<p>a</p>');
    expect(convertMedia(field, '<p onclick=x>a</p>')).toBe('<p>a</p>');
  });

  test('is refused above the limits, and older text above them is answered empty', () => {
    const deep = '<div>'.repeat(structureLimits.levels + 1);

    expect(z.safeParse(field, deep).error?.issues).toMatchObject([{ message: 'rule.html_structure' }]);
    expect(convertMedia(field, deep)).toBe('');
  });
});

describe('a field with the URL of a file', () => {
  const field = mediaUrl();

  test.each([
    'storage/uploads/a.png',
    '/storage/a.png',
    'uploads/a.png',
    'https://cdn.example.com/a.png',
    'HTTP://cdn.example.com/a.png',
    '//cdn.example.com/a.png',
    '',
  ])('takes %j', (url) => {
    expect(z.safeParse(field, url).success).toBe(true);
  });

  test.each([
    'javascript:alert(1)',
    ' https://example.com/a.png',
    'java\nscript:alert(1)',
    'data:image/png;base64,AAAA',
    'blob:https://www.example.com/1',
    'mailto:a@example.com',
    '#top',
    'images/a.png',
    'https:/\\evil.example',
    'https://',
  ])('refuses %j', (url) => {
    expect(z.safeParse(field, url).error?.issues).toMatchObject([{ message: 'rule.media_url' }]);
  });

  test.each(['javascript:alert(1)', ' java\nscript:alert(1)', 'vbscript:x', 'data:text/html,x'])(
    'answers an older %j empty if it could run a script',
    (url) => {
      expect(convertMedia(field, url)).toBe(url.startsWith('data:') ? url : '');
    },
  );
});
