import { toPublicHtml, toStoredHtml } from '../shared/media/media-html.ts';
import { percentile } from './statistics.ts';

// `node bench/media.ts`: converts 100 kB and 1 MB of rich text to output form and back; ends with 1 when ten
// times the text takes more than twenty times as long.

const site = { publicUrl: 'https://site.example', aliases: ['https://old.example'] };
const rounds = 30;
const largestRatio = 20;

const shapes: Record<string, (sizeBytes: number) => string> = {
  article: (size) =>
    fill('<p>Some words of an article.</p><img src="storage/uploads/image/a.png" alt="">', size),
  'one picture inline': (size) => `<img src="data:image/png;base64,${fill('AAAA', size)}">`,
  'one path of spaces': (size) => `<a href="storage/${fill(' ', size)}a">`,
  'attributes of one tag': (size) => {
    const names = Array.from({ length: size / 10 }, (_, place) => `a${String(place).padStart(6, '0')}=b`);
    return `<a ${names.join(' ')} href=storage/a>`;
  },
  'tags never closed': (size) => fill('<div><b><svg><desc>', size),
  'tags never opened': (size) => fill('<svg><desc>', size / 2) + fill('</math>', size / 2),
};

function fill(piece: string, sizeBytes: number): string {
  return piece.repeat(Math.ceil(sizeBytes / piece.length));
}

/** Milliseconds of a conversion there and back, without the machine's pauses. */
function measure(html: string): number {
  const times = Array.from({ length: rounds }, () => {
    const start = performance.now();
    toStoredHtml(toPublicHtml(html, site), site);
    return performance.now() - start;
  });
  return percentile(times, 0.1);
}

console.log('\nRich text to output form and back');
for (const [name, create] of Object.entries(shapes)) {
  const [small, large] = [measure(create(100_000)), measure(create(1_000_000))];
  const ratio = large / small;
  console.log(
    `${name}: 100 kB ${small.toFixed(1)} ms, 1 MB ${large.toFixed(1)} ms, ratio ${ratio.toFixed(1)}`,
  );
  if (ratio > largestRatio) process.exitCode = 1;
}
