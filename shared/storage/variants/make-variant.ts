import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Metadata } from 'sharp';
import { environment } from '#shared/config/environment.ts';
import { megabyte } from '#shared/config/upload.ts';

/** Bounds of a picture that gets variants. A larger one is refused. */
export const pictureBounds = {
  /** 50 megapixels. */
  pixels: 50 * 1024 * 1024,
  /** Its file is held in memory. */
  bytes: 64 * megabyte,
  /** What a progressive or interlaced one takes while it is decoded: with it, 512 MiB are enough for the process. */
  decodedBytes: 256 * megabyte,
  seconds: 10,
};

/** Why a picture has no variants: it is damaged, too large, of another format, or takes too long. */
export class PictureRefusedError extends Error {
  override readonly name = 'PictureRefusedError';
}

/** `docs/storage.md` names these formats. */
const formats = ['Jpeg', 'Png', 'Webp', 'Nsgif'].map((name) => `VipsForeignLoad${name}Buffer`);

let loaded: typeof import('sharp').default | undefined;

/** Loads the library: in a deployed function, from the packaged folder for its architecture. */
function loadSharp(): typeof import('sharp').default {
  if (loaded) return loaded;
  const { librariesDir } = environment();
  const sharp: typeof import('sharp').default = createRequire(
    librariesDir ? join(librariesDir, 'package.json') : import.meta.url,
  )('sharp');
  // One thread, and no copies of earlier pictures: memory is bounded.
  sharp.cache(false);
  sharp.concurrency(1);
  // A file whose content is of another format than uploads may have, such as SVG, is not read.
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: formats });
  loaded = sharp;
  return sharp;
}

const options = { limitInputPixels: pictureBounds.pixels, failOn: 'error', sequentialRead: true } as const;

/** Samples for each pixel of a JPEG, by its chroma subsampling. */
const samples: Record<string, number> = { '4:2:0': 1.5, '4:2:2': 2 };

/** A progressive or interlaced picture is held in memory as a whole; others are decoded line by line. */
function assertDecodable(picture: Metadata): void {
  const { isProgressive, format, width, height, channels = 4, chromaSubsampling = '', depth } = picture;
  if (!isProgressive) return;
  // A coefficient of a JPEG takes two bytes.
  const bytesOfSample = format === 'jpeg' || depth === 'ushort' ? 2 : 1;
  const bytes = width * height * (samples[chromaSubsampling] ?? channels) * bytesOfSample;
  if (bytes > pictureBounds.decodedBytes) throw new Error('decoding it takes too many bytes');
}

/**
 * Makes a variant: WebP, upright, in sRGB, without metadata, of the first frame of an animation, and never larger than
 * the picture.
 *
 * @param pixels most pixels of the longer side
 * @throws PictureRefusedError
 */
export async function makeVariant(picture: Uint8Array, pixels: number): Promise<Uint8Array> {
  const sharp = loadSharp();
  try {
    const opened = sharp(picture, options);
    assertDecodable(await opened.metadata());
    return await opened
      .autoOrient()
      .resize({ width: pixels, height: pixels, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 80, alphaQuality: 80, effort: 2 })
      .timeout({ seconds: pictureBounds.seconds })
      .toBuffer();
  } catch (error) {
    // The library's message only: it quotes no part of the file.
    const reason = error instanceof Error ? error.message : String(error);
    // A fault of the machine, not of the picture.
    if (/memory|thread/i.test(reason)) throw new Error(reason);
    throw new PictureRefusedError(reason);
  }
}
