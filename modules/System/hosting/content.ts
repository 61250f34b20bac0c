import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants, gzip } from 'node:zlib';
import { weakTag } from '#shared/http/raw-answer.ts';

const encodings = ['br', 'gzip', 'identity'] as const;
export type Encoding = (typeof encodings)[number];

const compressGzip = promisify(gzip);
const compressBrotli = promisify(brotliCompress);
const decompressBrotli = promisify(brotliDecompress);

/** Content that is compressed or decompressed at most once in this process. */
export class Content {
  readonly etag: string;
  readonly #encoded: Partial<Record<Encoding, Promise<Buffer>>> = {};

  private constructor(etag: string) {
    this.etag = etag;
  }

  /** @param compressed brotli in base64 */
  static fromBrotli(compressed: string): Content {
    const content = new Content(weakTag(compressed));
    content.#encoded.br = Promise.resolve(Buffer.from(compressed, 'base64'));
    return content;
  }

  static fromText(text: string): Content {
    const content = new Content(weakTag(text));
    content.#encoded.identity = Promise.resolve(Buffer.from(text));
    return content;
  }

  encode(encoding: Encoding): Promise<Buffer> {
    this.#encoded[encoding] ??= this.#convert(encoding);
    return this.#encoded[encoding];
  }

  async #convert(encoding: Encoding): Promise<Buffer> {
    if (encoding === 'identity') return decompressBrotli(await this.encode('br'));
    const plain = await this.encode('identity');
    if (encoding === 'gzip') return compressGzip(plain);
    // The best quality takes seconds, and saves a tenth.
    return compressBrotli(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
  }
}

/** The best encoding that an `Accept-Encoding` header names. */
export function chooseEncoding(header = ''): Encoding {
  const accepted = header
    .toLowerCase()
    .split(',')
    .filter((each) => !/;\s*q=0(\.0*)?\s*$/.test(each))
    .map((each) => each.split(';')[0]?.trim());
  return encodings.find((encoding) => accepted.includes(encoding)) ?? 'identity';
}
