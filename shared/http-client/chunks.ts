import { HttpSyntaxError } from './syntax-error.ts';

const lineLimitBytes = 1024;

/** A body that was sent in chunks. */
export interface ChunkedBody {
  body: Buffer;
  /** Bytes that came behind it. */
  excess: number;
}

/** Puts a body that is sent in chunks together (RFC 9112, section 7.1), from its bytes as they arrive. */
export class ChunkReader {
  #pieces: Buffer[] = [];
  #unread: Buffer = Buffer.alloc(0);
  /** Bytes of the chunk that are to come; undefined between chunks. */
  #missing: number | undefined;
  #isLast = false;

  /** @returns the body once it is whole @throws HttpSyntaxError */
  push(part: Buffer): ChunkedBody | undefined {
    this.#unread = this.#unread.length > 0 ? Buffer.concat([this.#unread, part]) : part;
    for (;;) {
      this.#takePiece();
      const line = this.#takeLine();
      if (line === undefined) return undefined;
      if (this.#missing === 0) {
        if (line !== '') throw new HttpSyntaxError('a chunk of another length');
        this.#missing = undefined;
      } else if (!this.#isLast) {
        this.#begin(parseSize(line));
      } else if (line === '') {
        return { body: Buffer.concat(this.#pieces), excess: this.#unread.length };
      }
    }
  }

  #begin(size: number): void {
    if (size === 0) this.#isLast = true;
    else this.#missing = size;
  }

  #takePiece(): void {
    if (!this.#missing) return;
    const piece = this.#unread.subarray(0, this.#missing);
    this.#pieces.push(piece);
    this.#missing -= piece.length;
    this.#unread = this.#unread.subarray(piece.length);
  }

  /** The next line, without its end; undefined while it has none, or belongs to the chunk. */
  #takeLine(): string | undefined {
    if (this.#missing) return undefined;
    const at = this.#unread.indexOf('\r\n', 0, 'latin1');
    if ((at < 0 ? this.#unread.length : at) > lineLimitBytes)
      throw new HttpSyntaxError('a line without an end');
    if (at < 0) return undefined;
    const line = this.#unread.toString('latin1', 0, at);
    this.#unread = this.#unread.subarray(at + 2);
    return line;
  }
}

function parseSize(line: string): number {
  const [, digits] = /^([\da-f]{1,8})[ \t]*(?:;.*)?$/i.exec(line) ?? [];
  if (digits === undefined) throw new HttpSyntaxError('no size of a chunk');
  return Number.parseInt(digits, 16);
}
