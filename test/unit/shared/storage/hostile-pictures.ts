import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { createPngChunk } from '../../../fixtures/hostile/files.ts';

const draw = (channels: 3 | 4 = 3, width = 300, height = 200) =>
  sharp({ create: { width, height, channels, background: { r: 20, g: 120, b: 220, alpha: 0.5 } } });

/** Pictures of every kind that a variant can be made of, by what is special about them. */
export async function createPictures(): Promise<Record<string, Buffer>> {
  const pictures: Record<string, Buffer> = {
    'a JPEG': await draw().jpeg().toBuffer(),
    'a progressive JPEG': await draw().jpeg({ progressive: true }).toBuffer(),
    'a CMYK JPEG': await draw().toColourspace('cmyk').jpeg().toBuffer(),
    'a grey JPEG': await draw().greyscale().jpeg().toBuffer(),
    'a PNG': await draw(4).png().toBuffer(),
    'an interlaced PNG': await draw(4).png({ progressive: true }).toBuffer(),
    'a PNG of 16 bits': await draw(4).toColourspace('rgb16').png().toBuffer(),
    'a PNG with a palette': await draw(4).png({ palette: true, colours: 4 }).toBuffer(),
    'a WebP': await draw(4).webp().toBuffer(),
    'a WebP without loss': await draw(4).webp({ lossless: true }).toBuffer(),
    'a GIF': await draw(4).gif().toBuffer(),
    'a picture of another ICC profile': await draw().withIccProfile('p3').jpeg().toBuffer(),
    'a JPEG with a broken ICC profile': await breakProfile(),
    'a picture of one pixel': await draw(3, 1, 1).png().toBuffer(),
    'a line of pixels': await draw(3, 10_000, 1).png().toBuffer(),
  };
  for (let orientation = 1; orientation <= 8; orientation += 1)
    pictures[`a JPEG of orientation ${orientation}`] = await draw()
      .withMetadata({ orientation })
      .jpeg()
      .toBuffer();
  for (const format of ['gif', 'webp'] as const) {
    const frames = await draw(4, 300, 2000).raw().toBuffer({ resolveWithObject: true });
    const raw = { ...frames.info, channels: 4 as const, pageHeight: 200 };
    pictures[`an animated ${format}`] = await sharp(frames.data, { raw }).toFormat(format).toBuffer();
  }
  return pictures;
}

async function breakProfile(): Promise<Buffer> {
  const bytes = await draw().withIccProfile('p3').jpeg().toBuffer();
  const at = bytes.indexOf('ICC_PROFILE') + 20;
  return Buffer.from(bytes.fill(0xff, at, at + 200));
}

/** A PNG whose header declares these sides, and whose data are zeros. */
export function createBomb(width: number, height: number, dataBytes: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  const data = deflateSync(Buffer.alloc(dataBytes));
  return Buffer.concat([
    signature,
    createPngChunk('IHDR', header),
    createPngChunk('IDAT', data),
    createPngChunk('IEND', Buffer.alloc(0)),
  ]);
}

const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" width="99999" height="99999"><rect width="9" height="9"/></svg>';

/** Files that are refused, by what is wrong with them. */
export async function createRefused(): Promise<Record<string, Buffer>> {
  const gifHeader = Buffer.from('474946383961ffffffff80000000000000ffffff2c00000000ffffffff00', 'hex');
  return {
    'no bytes': Buffer.alloc(0),
    'one byte': Buffer.from([0xff]),
    zeros: Buffer.alloc(100_000),
    'a text': Buffer.from('This is no picture.'),
    'an SVG': Buffer.from(svg),
    'a PDF': Buffer.from('%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF'),
    'a TIFF': await draw().tiff().toBuffer(),
    'an AVIF': await draw().avif().toBuffer(),
    'a BMP': Buffer.concat([Buffer.from('424d46000000000000003600000028000000', 'hex'), Buffer.alloc(100)]),
    'a PNG of 60,000 by 60,000 pixels': createBomb(60_000, 60_000, 1_000_000),
    'a PNG of 2,147,483,647 by 2,147,483,647 pixels': createBomb(2_147_483_647, 2_147_483_647, 1000),
    'a PNG of 52,428,801 pixels': createBomb(52_428_801, 1, 1000),
    'a PNG without pixels': createBomb(0, 0, 1000),
    'a PNG with few data': createBomb(5000, 5000, 1000),
    'a GIF of 65,535 by 65,535 pixels': gifHeader,
    'a header of JPEG': Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex'),
  };
}
