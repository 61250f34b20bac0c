import { describe, expect, test } from '@jest/globals';
import { getSchema } from '@tiptap/core';
import { Mark, Node } from '@tiptap/pm/model';
import fc from 'fast-check';
import { parseFragment, serialize } from 'parse5';
import { documentExtensions } from '#console/kit/rich-text/document/extensions.ts';
import { readHtml } from '#console/kit/rich-text/document/read-html.ts';
import { writeHtml } from '#console/kit/rich-text/document/write-html.ts';
import { findLoss, normalise } from '#console/kit/rich-text/markup.ts';
import { renderContent } from '#modules/Article/demo/texts.ts';
import { englishTexts } from '#modules/Article/demo/texts-en.ts';
import { chineseTexts } from '#modules/Article/demo/texts-zh.ts';
import { commonAttributes, richTextElements } from '#shared/media/rich-text-list.ts';
import { sanitizeHtml } from '#shared/media/sanitize-html.ts';

const schema = getSchema(documentExtensions);

/** A document as the editor holds it. */
function open(html: string): Node {
  const document = Node.fromJSON(schema, readHtml(html));
  document.check();
  return document;
}
const save = (document: Node): string => writeHtml(document.toJSON());

/** Where an element may stand that may not stand in any place. */
const places: Record<string, string> = {
  ...{ li: '<ul>|</ul>', dt: '<dl>|</dl>', dd: '<dl>|</dl>', figcaption: '<figure>a|</figure>' },
  ...{ tr: '<table>|</table>', td: '<table><tr>|</tr></table>', th: '<table><tr>|</tr></table>' },
  ...{ tbody: '<table>|</table>', thead: '<table>|</table>', tfoot: '<table>|</table>' },
  ...{ caption: '<table>|<tr><td>a</td></tr></table>', colgroup: '<table>|<tr><td>a</td></tr></table>' },
  ...{ col: '<table><colgroup>|</colgroup><tr><td>a</td></tr></table>', summary: '<details>|a</details>' },
  ...{ source: '<video>|</video>', track: '<video>|</video>', rt: '<ruby>a|</ruby>', rp: '<ruby>a|</ruby>' },
};
const inner: Record<string, string> = {
  ...{ ul: '<li>a</li>', ol: '<li>a</li>', dl: '<dt>a</dt>', table: '<tr><td>a</td></tr>' },
  ...{ tr: '<td>a</td>', tbody: '<tr><td>a</td></tr>', thead: '<tr><td>a</td></tr>' },
  ...{ tfoot: '<tr><td>a</td></tr>', colgroup: '<col>', picture: '<img src="/a.png">' },
};
const values: Record<string, string> = {
  style: 'color: red',
  href: '/a',
  colspan: '2',
  rowspan: '2',
  start: '3',
};
const empty = ['br', 'wbr', 'img', 'hr', 'col', 'source', 'track'];

describe('what the service keeps', () => {
  const cases = Object.entries(richTextElements).map(([element, attributes]) => {
    const all = [...attributes, ...commonAttributes, 'style', 'data-a'];
    const written = all.map((name) => `${name}="${values[name] ?? 'a'}"`).join(' ');
    const end = empty.includes(element) ? '' : `${inner[element] ?? 'text'}</${element}>`;
    return [element, (places[element] ?? '|').replace('|', `<${element} ${written}>${end}`)] as const;
  });

  test.each(cases)('is held by the editor with all attributes: %s', (_element, html) => {
    expect(sanitizeHtml(html)).toBe(html);
    expect(findLoss(html)).toEqual([]);
    expect(save(open(html))).toBe(normalise(html));
  });
});

test('the example articles open as text', () => {
  for (const text of [...englishTexts, ...chineseTexts]) {
    const html = renderContent(text, 'storage/a.png');

    expect(findLoss(html)).toEqual([]);
    expect(save(open(html))).toBe(html.replaceAll('\n', ''));
  }
});

test.each([
  '<p>a <b>b</b> <strong>c</strong></p>',
  'text <i>without</i> a paragraph',
  '<ul><li>one<ol start="3"><li>two</li></ol></li><li><p>three</p></li></ul>',
  '<figure class="wide"><img src="/a.png" alt="b"><figcaption>c <a href="/d">e</a></figcaption></figure>',
  '<table><caption>a</caption><thead><tr><th>b</th></tr></thead><tbody><tr><td>c</td></tr></tbody></table>',
  '<table><tbody><tr><td colspan="2" rowspan="3"><p>a</p><p>b</p></td></tr></tbody></table>',
  '<pre><code class="language-ts">const a = 1;\n\n  b();</code></pre><pre>\n\na</pre>',
  '<div><p>a</p><span class="x"><span class="y">b</span></span></div>',
  '<blockquote><p>a</p></blockquote><hr><h5 align="center">b</h5><p>c<br>d&nbsp;&amp; &lt;</p>',
])('keeps byte for byte: %s', (html) => {
  expect(save(open(html))).toBe(html);
});

describe('any text', () => {
  const names = Object.keys(richTextElements);
  const piece = fc.oneof(
    fc.constantFrom(...names).map((name) => `<${name}>`),
    fc
      .tuple(
        fc.constantFrom(...names),
        fc.constantFrom('class', 'style', 'href', 'colspan', 'start', 'onclick'),
      )
      .map(([name, attribute]) => `<${name} ${attribute}="${values[attribute] ?? 'a'}">`),
    fc.constantFrom(...names).map((name) => `</${name}>`),
    fc.constantFrom('a', ' ', '\n', 'b c', '&amp;', '&nbsp;', '<script>x</script>', '<x>', '<!-- a -->'),
  );
  const text = fc.array(piece, { maxLength: 16 }).map((pieces) => pieces.join(''));

  test('is a sound document, whose HTML the service keeps byte for byte', () => {
    fc.assert(
      fc.property(text, (html) => {
        const document = open(sanitizeHtml(html) ?? '');
        const saved = save(document);

        expect(sanitizeHtml(saved)).toBe(saved);
        document.descendants((node) => {
          expect(Mark.sameSet(Mark.setFrom([...node.marks]), node.marks)).toBe(true);
        });
      }),
      { numRuns: 1000 },
    );
  });

  test('loses nothing in the editor that is not named', () => {
    // A title may stand before what it stood behind.
    const words = (html: string) => [...html.replace(/<[^>]*>|\s|&nbsp;/g, '')].sort().join('');
    fc.assert(
      fc.property(text, (html) => {
        const allowed = sanitizeHtml(html) ?? '';
        const once = normalise(allowed) ?? '';

        expect(words(once)).toBe(words(serialize(parseFragment(allowed))));
        expect(normalise(once)).toBe(once);
      }),
      { numRuns: 1000 },
    );
  });
});
