import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';
import { toPublicHtml, toStoredHtml } from '#shared/media/media-html.ts';
import { toPublicUrl, toStoredUrl } from '#shared/media/media-url.ts';
import { anyString } from '../../../support/any-string.ts';

const site = { publicUrl: 'https://site.example', aliases: ['https://old.example/app'] };

/** A piece of rich text in three known forms. */
type Forms = [given: string, sent: string, stored: string];

const same = (text: string): Forms => [text, text, text];
const join = (parts: Forms[]): Forms =>
  [0, 1, 2].map((form) => parts.map((part) => part[form]).join('')) as Forms;

const local = 'storage/uploads/a.png?b=1&amp;c#d';
const links: Forms[] = [
  [local, `https://site.example/${local}`, local],
  [`/${local}`, `https://site.example/${local}`, `/${local}`],
  ['uploads/x', 'https://site.example/storage/uploads/x', 'uploads/x'],
  ['&#115torage/x', 'https://site.example/&#115torage/x', '&#115torage/x'],
  [`https://site.example/${local}`, `https://site.example/${local}`, local],
  ['//SITE.example&sol;storage/x', '//SITE.example&sol;storage/x', 'storage/x'],
  ['http://old.example/app/storage/x', 'http://old.example/app/storage/x', 'storage/x'],
  ...['https://cloud.example/storage/x', '//cloud.example/storage/x', 'x/storage/y'].map(same),
  ...['#storage/x', 'storage/../x', 'data:text/html,storage/x', 'JAVASCRIPT:storage/x'].map(same),
  ...['mailto:storage/x', 'blob:https://site.example/storage/x'].map(same),
];
const link = fc.constantFrom(...links);
const quote = fc.constantFrom('"', "'", '');
const space = fc.constantFrom(' ', '\n', '\r\n', '\t', '\f', ' / ');
const equals = fc.constantFrom('=', ' = ', '\r\n=\n');

const attribute = fc
  .tuple(
    space,
    fc.constantFrom('src', 'href', 'poster', 'SRC', 'hReF', 'srcset', 'data-src', 'title', 'xlink:href'),
    equals,
    quote,
    link,
  )
  .map(([before, name, sign, mark, value]) => ({ before, name, sign, mark, value }));

const tag = fc
  .tuple(
    fc.constantFrom('img', 'A', 'video', 'x-y', 'p', '/a', 'base', 'source'),
    fc.array(attribute, { maxLength: 4 }),
  )
  .map(([name, attributes]): Forms => {
    const seen = new Set<string>(name === '/a' || name === 'base' ? ['src', 'href', 'poster'] : []);
    const rendered = attributes.map(({ before, name: key, sign, mark, value }): Forms => {
      const counts = /^(?:src|href|poster)$/i.test(key) && !seen.has(key.toLowerCase());
      seen.add(key.toLowerCase());
      const forms = counts ? value : same(value[0]);
      return forms.map((text) => before + key + sign + mark + text + mark) as Forms;
    });
    return join([same(`<${name}`), ...rendered, same(' >')]);
  });

const inert = fc
  .tuple(
    fc.constantFrom(
      ['<!--', '-->'],
      ['<script>', '</script>'],
      ['<style>', '</style >'],
      ['<textarea>', '</TEXTAREA>'],
      ['<i title="', '">'],
    ),
    link,
  )
  .map(([[open, close], value]) => same(`${open}<img src='${value[0]}'>${close}`));

const words = fc
  .constantFrom('text', '图😀', '\0', '\r\n', '&amp;&copy', 'src="storage/x"', '>', '"', '< a', '\ud800')
  .map(same);
const richText = fc.array(fc.oneof(tag, inert, words), { maxLength: 12 }).map(join);

/** Pieces whose random sequences reach every state of a browser's tokenizer. */
const piece = fc.constantFrom(
  ...'< </ > /> <!-- --> --!> <! <? = " \' & ; &# x2f &sol \0'.split(' '),
  ...[' ', '\r\n', ' src=', ' href=', ' poster="', " SRC='", ' alt=', '<a href="', '<img src='],
  ...'img a p svg math style title script textarea base title> style> svg> script>'.split(' '),
  ...'<svg> </svg> <style> <![CDATA[ ]]> storage/ /storage/a uploads/a .. 图 😀 \ud83d'.split(' '),
  ...['https://site.example/', '//site.example/storage/a'],
);
const soup = fc.oneof(
  { weight: 4, arbitrary: fc.array(piece, { maxLength: 40 }).map((parts) => parts.join('')) },
  anyString({ maxLength: 200 }),
);

type Convert = (text: string) => string;

/** A browser's tree of rich text, with converted links. */
function readTree(html: string, convert: Convert): unknown {
  return describeNode(parseFragment(html, { scriptingEnabled: false }), convert);
}

function describeNode(node: DefaultTreeAdapterTypes.Node, convert: Convert): unknown {
  const children = 'childNodes' in node ? node.childNodes.map((child) => describeNode(child, convert)) : [];
  if (!('attrs' in node))
    return [node.nodeName, 'value' in node ? node.value : '', 'data' in node ? node.data : '', children];
  const attributes = node.attrs.map(({ name, prefix, value }) => {
    const holdsLink = !prefix && ['src', 'href', 'poster'].includes(name) && node.nodeName !== 'base';
    return [name, holdsLink ? convert(value) : value];
  });
  return [node.nodeName, attributes, children];
}

const keep: Convert = (text) => text;

describe('rich text at random', () => {
  test('changes only its links, as expected', () => {
    fc.assert(
      fc.property(richText, ([given, sent, stored]) => {
        expect(toPublicHtml(given, site)).toBe(sent);
        expect(toStoredHtml(given, site)).toBe(stored);
      }),
      { numRuns: 400 },
    );
  });

  test('is restored after output if it was in stored form', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          richText.map(([given]) => given),
          soup,
        ),
        (html) => {
          const stored = toStoredHtml(html.replace(/uploads\/|\/storage\//g, 'x'), site);

          expect(toStoredHtml(toPublicHtml(stored, site), site)).toBe(stored);
        },
      ),
      { numRuns: 400 },
    );
  });

  test('does not change again', () => {
    fc.assert(
      fc.property(soup, (html) => {
        const [sent, stored] = [toPublicHtml(html, site), toStoredHtml(html, site)];

        expect(toPublicHtml(sent, site)).toBe(sent);
        expect(toStoredHtml(stored, site)).toBe(stored);
      }),
      { numRuns: 400 },
    );
  });

  test('gives a browser the same document except for links', () => {
    fc.assert(
      fc.property(soup, (html) => {
        const sent = readTree(toPublicHtml(html, site), keep);
        const stored = readTree(toStoredHtml(html, site), keep);

        expect(sent).toEqual(readTree(html, (url) => toPublicUrl(url, site)));
        expect(stored).toEqual(readTree(html, (url) => toStoredUrl(url, site)));
      }),
      { numRuns: 1000 },
    );
  });

  test('never changes without links of this site', () => {
    fc.assert(
      fc.property(soup, (text) => {
        const html = text.replace(/site\.example|storage|uploads/g, 'cloud.example');

        expect(toPublicHtml(html, site)).toBe(html);
        expect(toStoredHtml(html, site)).toBe(html);
      }),
    );
  });
});
