import { describe, expect, test } from '@jest/globals';
import { normalise } from '#console/kit/rich-text/markup.ts';
import { cleanPaste } from '#console/kit/rich-text/paste/clean-paste.ts';
import { sanitizeHtml } from '#shared/media/sanitize-html.ts';
import type { Block } from '../../../fixtures/paste/documents.ts';
import { describeBlocks, describeHtml, readSamples } from '../../../fixtures/paste/samples.ts';

function countLosses(blocks: readonly Block[]): Record<string, number> {
  const names = blocks.flatMap((block) => {
    if (block.kind === 'picture')
      return block.source === 'file' ? ['local'] : block.source === 'web' ? ['remote'] : [];
    if (block.kind === 'footnote') return ['link'];
    return block.kind === 'frame' || block.kind === 'form' ? [block.kind] : [];
  });
  const counts = Map.groupBy(names, (name) => name);
  return Object.fromEntries([...counts].map(([name, all]) => [name, all.length]));
}

describe.each(['word', 'wps', 'google-docs', 'web'])('a paste from %s', (source) => {
  const samples = readSamples(source);

  test('has 50 stored samples', () => {
    expect(samples).toHaveLength(50);
  });
  test.each(samples.map((sample, index) => [index, sample] as const))(
    'keeps or names all: sample %i',
    (_index, { blocks, html }) => {
      const pasted = cleanPaste(html);
      const losses = pasted.lost.filter(({ kind }) => kind !== 'colour');

      expect(describeHtml(pasted.html)).toEqual(describeBlocks(blocks));
      expect(Object.fromEntries(losses.map(({ kind, count }) => [kind, count]))).toEqual(countLosses(blocks));
      expect(pasted.pictures).toHaveLength(
        blocks.filter((block) => block.kind === 'picture' && block.source === 'data').length,
      );
      expect(sanitizeHtml(pasted.html)).toBe(pasted.html);
      expect(normalise(pasted.html)).toBe(pasted.html);
      expect(pasted.html).not.toMatch(/style=|class=|Mso|o:p|aria-/);
    },
  );
});

describe('a paste', () => {
  test.each([
    [
      'a heading that Word names by its class',
      '<p class=MsoTitle>a</p><p class=MsoHeading2>b</p>',
      '<h1>a</h1><h2>b</h2>',
    ],
    [
      'items of Word for the web',
      '<div class="ListContainerWrapper"><ul><li data-aria-level="1"><p>a</p></li></ul></div><div class="ListContainerWrapper"><ol start="1"><li data-aria-level="2"><p>b</p></li></ol></div>',
      '<ul><li>a<ol><li>b</li></ol></li></ul>',
    ],
    [
      'items whose levels are attributes',
      '<ul><li aria-level="1">a</li><li aria-level="2">b</li><li aria-level="1">c</li></ul>',
      '<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>',
    ],
    [
      'joined cells',
      '<table><tr><td colspan=2 rowspan="3">a</td></tr></table>',
      '<table><tbody><tr><td colspan="2" rowspan="3">a</td></tr></tbody></table>',
    ],
    [
      'bold text around paragraphs',
      '<div style="font-weight:bold"><b><p>a</p><p>b</p></b></div>',
      '<p><strong>a</strong></p><p><strong>b</strong></p>',
    ],
    ['text of smart tags', '<p><st1:place w:st="on">a</st1:place></p>', '<p>a</p>'],
    ['a centred paragraph', '<p style="text-align:center">a</p>', '<p align="center">a</p>'],
    ['text without elements', 'a<br>b', '<p>a<br>b</p>'],
    [
      'nothing that is not shown',
      '<p>a<span style="display:none">b</span><!-- c --><style>d</style></p>',
      '<p>a</p>',
    ],
  ])('keeps %s', (_title, html, expected) => {
    expect(cleanPaste(html)).toEqual({ html: expected, lost: [], pictures: [] });
  });

  test.each([
    ['a link that runs a script', '<a href="javascript:alert(1)">a</a>', 'link'],
    ['a picture without its page', '<img src="images/a.png">', 'local'],
    ['a drawing', '<svg><text>a</text></svg>', 'drawing'],
    ['a video without its page', '<video src="blob:https://example.org/1"></video>', 'media'],
    ['a colour', '<span style="color:#c00">a</span>', 'colour'],
  ])('names %s', (_title, html, kind) => {
    expect(cleanPaste(html).lost).toEqual([{ kind, count: 1 }]);
  });
});
