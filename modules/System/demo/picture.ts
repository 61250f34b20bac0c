import { crc32, deflateSync } from 'node:zlib';
import { createRandom } from '#shared/module/demo.ts';

type Colour = readonly [red: number, green: number, blue: number];

/** A picture of at most 256 colours: for each pixel the number of its colour, row by row. */
interface Picture {
  width: number;
  height: number;
  colours: readonly Colour[];
  pixels: Uint8Array;
}

/** Writes a picture as PNG (ISO/IEC 15948), one byte for each pixel. */
function encodePng({ width, height, colours, pixels }: Picture): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits, colours by number.
  header.set([8, 3], 8);
  // Each row begins with its filter: 0 for none.
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1) {
    rows.set(pixels.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
  }
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    toChunk('IHDR', header),
    toChunk('PLTE', Buffer.from(colours.flat())),
    toChunk('IDAT', deflateSync(rows, { level: 9 })),
    toChunk('IEND', Buffer.alloc(0)),
  ]);
}

function toChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** Mixes two colours. @param part of the second one, 0 to 1 */
const mix = (one: Colour, other: Colour, part: number): Colour => [
  Math.round(one[0] + (other[0] - one[0]) * part),
  Math.round(one[1] + (other[1] - one[1]) * part),
  Math.round(one[2] + (other[2] - one[2]) * part),
];

/** Colours of sky above, sky below, sun, and the hills in front. */
const palettes = [
  [
    [74, 122, 188],
    [236, 196, 168],
    [255, 240, 214],
    [38, 52, 84],
  ],
  [
    [48, 104, 152],
    [196, 226, 232],
    [255, 252, 236],
    [22, 74, 76],
  ],
  [
    [98, 74, 138],
    [248, 178, 150],
    [255, 224, 168],
    [52, 30, 74],
  ],
  [
    [96, 158, 196],
    [238, 240, 222],
    [255, 255, 255],
    [58, 98, 62],
  ],
  [
    [36, 46, 92],
    [146, 128, 178],
    [238, 234, 252],
    [16, 20, 46],
  ],
  [
    [226, 138, 94],
    [252, 226, 170],
    [255, 250, 230],
    [112, 52, 46],
  ],
] as const;

const skyColours = 200;
const hills = 4;

/** A landscape: hills before a sky with a sun. @param seed the same picture for the same number */
export function drawLandscape(seed: number, width = 800, height = 450): Buffer {
  const random = createRandom(seed);
  const [high, low, sun, front] = palettes[seed % palettes.length] ?? palettes[0];
  const colours = [
    ...Array.from({ length: skyColours }, (_, at) => mix(high, low, at / skyColours)),
    sun,
    ...Array.from({ length: hills }, (_, at) => mix(low, front, (at + 1) / hills)),
  ];
  const centre = { x: width * (0.15 + 0.7 * random()), y: height * (0.18 + 0.2 * random()) };
  const radius = height * (0.06 + 0.05 * random());
  const ridges = Array.from({ length: hills }, (_, at) => createRidge(random, width, height, at));
  const pixels = new Uint8Array(width * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const hill = ridges.findLastIndex((edges) => y > (edges[x] ?? 0));
      const isSun = Math.hypot(x - centre.x, y - centre.y) < radius;
      const sky = isSun ? skyColours : Math.floor((y / height) * skyColours);
      pixels[y * width + x] = hill < 0 ? sky : skyColours + 1 + hill;
    }
  }
  return encodePng({ width, height, colours, pixels });
}

/** The upper edge of a hill, for each column. @param at 0 for the farthest */
function createRidge(random: () => number, width: number, height: number, at: number) {
  const waves = [1.3, 2.9, 6.1].map((count) => ({ count: count * (0.7 + random()), phase: random() * 6.3 }));
  const base = height * (0.5 + at * 0.13);
  return Float64Array.from({ length: width }, (_, x) =>
    waves.reduce(
      (edge, { count, phase }) =>
        edge + (Math.sin((x / width) * count * 6.3 + phase) * height * 0.06) / count,
      base,
    ),
  );
}

const cells = 5;
const cellPixels = 24;

/** A square with a pattern that is the same on both sides, for an avatar. */
export function drawAvatar(seed: number): Buffer {
  const random = createRandom(seed);
  const width = (cells + 1) * cellPixels;
  const [, light, , dark] = palettes[seed % palettes.length] ?? palettes[0];
  const half = Math.ceil(cells / 2);
  const isFilled = Array.from({ length: cells * half }, () => random() > 0.45);
  const pixels = new Uint8Array(width * width);
  for (let y = 0; y < width; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const [column, row] = [x, y].map((each) => Math.floor((each - cellPixels / 2) / cellPixels));
      const isInside = Math.min(column ?? 0, row ?? 0) >= 0 && Math.max(column ?? 0, row ?? 0) < cells;
      const mirrored = Math.min(column ?? 0, cells - 1 - (column ?? 0));
      pixels[y * width + x] = isInside && isFilled[(row ?? 0) * half + mirrored] ? 1 : 0;
    }
  }
  return encodePng({ width, height: width, colours: [light, dark], pixels });
}
