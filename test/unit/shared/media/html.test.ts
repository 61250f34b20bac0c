import { describe, expect, test } from '@jest/globals';
import { toPublicHtml, toStoredHtml } from '#shared/media/media-html.ts';

const site = { publicUrl: 'https://site.example', aliases: ['https://old.example/app'] };

/** Rich text in its stored and its sent form. */
const pairs: [stored: string, sent: string][] = [
  [
    '<video src="storage/v.mp4" poster="storage/p.png"></video><a href="storage/f.pdf">f</a>',
    '<video src="https://site.example/storage/v.mp4" poster="https://site.example/storage/p.png"></video><a href="https://site.example/storage/f.pdf">f</a>',
  ],
  [`<img src='storage/a"b'>`, `<img src='https://site.example/storage/a"b'>`],
  ['<img src=storage/a>', '<img src=https://site.example/storage/a>'],
  ['<img src=storage/a/>', '<img src=https://site.example/storage/a/>'],
  ['<IMG ALT=A SRC="storage/A">', '<IMG ALT=A SRC="https://site.example/storage/A">'],
  ['<img\r\n\tsrc \f=\n "storage/a"\r\n>', '<img\r\n\tsrc \f=\n "https://site.example/storage/a"\r\n>'],
  [
    `<img/src='storage/a'alt="x"poster=storage/b>`,
    `<img/src='https://site.example/storage/a'alt="x"poster=https://site.example/storage/b>`,
  ],
  [
    '<img src="storage/a" SRC="storage/b" src=storage/c>',
    '<img src="https://site.example/storage/a" SRC="storage/b" src=storage/c>',
  ],
  ['<a href="https://x.example/" href="storage/a">', '<a href="https://x.example/" href="storage/a">'],
  [
    '<img src="storage/a?b=1&amp;c=2&copy=3&#x2F;&lt;">',
    '<img src="https://site.example/storage/a?b=1&amp;c=2&copy=3&#x2F;&lt;">',
  ],
  [
    '<img src="&#115;torage&sol;a"><img src=&#x73torage/b>',
    '<img src="https://site.example/&#115;torage&sol;a"><img src=https://site.example/&#x73torage/b>',
  ],
  [
    '<img src=" \r\nstorage/a "><img src="&Tab;&#32storage/b">',
    '<img src=" \r\nhttps://site.example/storage/a "><img src="&Tab;&#32https://site.example/storage/b">',
  ],
  [
    '<p title="😀图">图\0<img alt=😀 src="storage/图/😀">',
    '<p title="😀图">图\0<img alt=😀 src="https://site.example/storage/图/😀">',
  ],
  ['<x-y href=storage/a>', '<x-y href=https://site.example/storage/a>'],
  ['<script src="storage/a">', '<script src="https://site.example/storage/a">'],
  ['<noscript><img src=storage/a>', '<noscript><img src=https://site.example/storage/a>'],
  ['<!--><img src=storage/a><!-- -->', '<!--><img src=https://site.example/storage/a><!-- -->'],
  ['<![CDATA[ > <img src=storage/a> ]]>', '<![CDATA[ > <img src=https://site.example/storage/a> ]]>'],
  [
    '<svg><desc></desc></desc><style><image href=storage/a>',
    '<svg><desc></desc></desc><style><image href=https://site.example/storage/a>',
  ],
  [
    '<svg></svg><![CDATA[ > <img src=storage/a> ]]>',
    '<svg></svg><![CDATA[ > <img src=https://site.example/storage/a> ]]>',
  ],
  [
    '<style>a</style x><img src=storage/a><title></title\n><img src=storage/b>',
    '<style>a</style x><img src=https://site.example/storage/a><title></title\n><img src=https://site.example/storage/b>',
  ],
  [
    '<svg><style/><title><b/></title><script/><image href="storage/a"/></svg><img src=storage/b>',
    '<svg><style/><title><b/></title><script/><image href="https://site.example/storage/a"/></svg><img src=https://site.example/storage/b>',
  ],
  [
    '<base href="storage/"><base href=storage/a><img src="storage/a">',
    '<base href="storage/"><base href=storage/a><img src="https://site.example/storage/a">',
  ],
  ['<p><img src="storage/a"><b', '<p><img src="https://site.example/storage/a"><b'],
];

describe('rich text', () => {
  test.each(pairs)('is completed: %s', (stored, sent) => {
    expect(toPublicHtml(stored, site)).toBe(sent);
  });

  test.each(pairs)('is shortened again: %s', (stored, sent) => {
    expect(toStoredHtml(sent, site)).toBe(stored);
  });

  /** Places where a quoted link (`*`) does not count as a link. */
  const elsewhere = [
    ...[
      '<!-- <img src=*> -->',
      '<!-- --!><!-- <img src=* -->',
      '<! <img src=*',
      '<? <img src=* ?>',
      '</ <img src=*>',
    ],
    ...['<script>"<img src=*>"</script>', '<script><!-- <script> </script> <img src=*> --></script>'],
    ...[
      '<style><img src=*></style>',
      '<STYLE><img src=*></stylex></STYLE>',
      '<textarea><img src=*></textarea>',
    ],
    ...['<title><img src=*></title>', '<xmp><img src=*></xmp>', '<iframe><img src=*></iframe>'],
    ...[
      '<noembed><img src=*></noembed>',
      '<noframes><img src=*></noframes>',
      '<plaintext></plaintext><img src=*>',
    ],
    ...[
      '<svg><![CDATA[ > <img src=*>]]></svg>',
      '<math><![CDATA[ > <img src=*>]]></math>',
      '<![CDATA[<img src=*',
    ],
    ...[
      '<svg><desc><style><img src=*></style></desc></svg>',
      '<svg/><style><img src=*></style>',
      '<svg><foreignObject><style><img src=*></style></foreignObject></svg>',
    ],
    ...['<svg><div><style><img src=*></style></div></svg>', '<svg></p><style><img src=*></style>'],
    ...['<math><mi><style><img src=*></style></mi></math>', '<svg></svg></svg><style><img src=*></style>'],
    ...['<math><annotation-xml encoding="Text/HTML"><style><img src=*></style></annotation-xml></math>'],
    ...[
      '<img srcset=*>',
      '<img data-src=*>',
      '<use xlink:href=*>',
      '<a xhref=*>',
      '<a href\0=*>',
      '<object data=*>',
    ],
    ...[
      '<div style="background:url(storage/a)">*</div>',
      '</a href=*>',
      '<a href=x href=*>',
      '<img alt= src=*>',
    ],
    ...[
      `<img alt='<img src=*>'>`,
      '<img src',
      '<img src=',
      '<img src=*',
      '<img src>*',
      '<img src=>*',
      'src=*',
      '< img src=*>',
    ],
    ...['&lt;img src=*&gt;', '<base href=*>', '<BASE HREF=*>'],
  ];

  test.each(elsewhere)('keeps %s', (frame) => {
    for (const link of ['"storage/a"', '"https://site.example/storage/a"']) {
      const html = frame.replace('*', link);

      expect(toPublicHtml(html, site)).toBe(html);
      expect(toStoredHtml(html, site)).toBe(html);
    }
  });

  test.each([
    ['<img src=uploads/a>', '<img src=https://site.example/storage/uploads/a>'],
    [`<img src='/storage/a'>`, `<img src='https://site.example/storage/a'>`],
    ['<img src=&sol;storage/a>', '<img src=https://site.example&sol;storage/a>'],
  ])('completes the path as the stored form has it: %s', (html, expected) => {
    expect(toPublicHtml(html, site)).toBe(expected);
  });

  test.each([
    ['<a href=https&colon;//site.example&#47;storage/a>', '<a href=storage/a>'],
    ['<a href="//SITE.example/storage/a?b&amp;c">', '<a href="storage/a?b&amp;c">'],
    [`<a href='http://old.example/app&#x2Fstorage/a'>`, `<a href='storage/a'>`],
    ['<a href=&#10;https://site.example/storage/a>', '<a href=&#10;storage/a>'],
  ])('shortens every way to write a URL of this site: %s', (html, expected) => {
    expect(toStoredHtml(html, site)).toBe(expected);
  });

  test.each([
    ...[
      'https://cloud.example/storage/a',
      '//cloud.example/storage/a',
      'data:image/png;base64,storage/',
      'JavaScript:a',
    ],
    ...[
      '&#106;avascript:storage/a',
      'java&Tab;script:storage/a',
      'mailto:a',
      'TEL:1',
      'blob:https://site.example/storage/a',
    ],
    ...[
      '#storage/a',
      '/uploads/a',
      'a.png',
      'storage/&period;./a',
      'storage/&#92;a',
      '&amp;storage/a',
      '&notit;storage/a',
    ],
  ])('leaves the link %s', (link) => {
    const html = `<a href="${link}">`;

    expect(toPublicHtml(html, site)).toBe(html);
    expect(toStoredHtml(html, site)).toBe(html);
  });

  test.each(['"', "'", ''])('inserts a base URL with odd characters between %j', (quote) => {
    const odd = { publicUrl: `https://h.example/a"b'c&d=e f>g`, aliases: [] };
    const html = `<img src=${quote}storage/a${quote} alt=x>`;
    const sent = toPublicHtml(html, odd);

    expect(sent).toBe(
      `<img src=${quote}https://h.example/a&#34;b&#39;c&#38;d&#61;e&#32;f&#62;g/storage/a${quote} alt=x>`,
    );
    expect(toStoredHtml(sent, odd)).toBe(html);
  });

  test.each([
    ['/a&b', 'https://h.example/a&b'],
    ['/a&b', 'https://h.example/a&amp;b'],
    ['/©', 'https://h.example/&copy'],
    ['/©', 'https://h.example/&copy;'],
    ['/&copy=', 'https://h.example/&copy='],
    ['/fj', 'https://h.example/&fjlig;'],
    ['/😀', 'https://h.example/&#x1f600;'],
  ])('knows the base path %s written as %s', (path, base) => {
    const odd = { publicUrl: `https://h.example${path}`, aliases: [] };

    expect(toStoredHtml(`<img src="${base}/storage/a">`, odd)).toBe('<img src="storage/a">');
  });
});
