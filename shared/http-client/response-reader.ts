import { ChunkReader } from './chunks.ts';
import { type Head, parseHead } from './head.ts';
import { HttpSyntaxError } from './syntax-error.ts';

/** A whole response. */
export interface HttpResponse {
  status: number;
  body: Buffer;
  /** Whether another request may follow on its connection. */
  isKept: boolean;
}

interface PlacedHead extends Head {
  /** The first byte behind it. */
  end: number;
}

const headEnd = '\r\n\r\n';
const headLimitBytes = 16_384;

/** Reads one response of HTTP/1.1 (RFC 9112) from its bytes as they arrive. */
export class ResponseReader {
  #parts: Buffer[] = [];
  #size = 0;
  #head: PlacedHead | undefined;
  #chunks: ChunkReader | undefined;

  /** Whether anything has arrived. */
  get isBegun(): boolean {
    return this.#size > 0;
  }

  /** @returns the response once it is whole @throws HttpSyntaxError */
  push(part: Buffer): HttpResponse | undefined {
    this.#size += part.length;
    if (this.#head && this.#chunks) return readChunk(this.#head, this.#chunks, part);
    this.#parts.push(part);
    const head = this.#readHead();
    if (!head || head.framing === undefined) return undefined;
    if (head.framing === 'chunked') {
      this.#chunks = new ChunkReader();
      return readChunk(head, this.#chunks, this.#join().subarray(head.end));
    }
    const end = head.end + head.framing;
    if (this.#size < end) return undefined;
    return finish(head, this.#join().subarray(head.end, end), this.#size - end);
  }

  /** Tells that the connection has ended. @returns the response if that is its end @throws HttpSyntaxError */
  end(): HttpResponse {
    const head = this.#head;
    if (!head || head.framing !== undefined) throw new HttpSyntaxError('the answer was cut');
    return { status: head.status, body: this.#join().subarray(head.end), isKept: false };
  }

  #readHead(): PlacedHead | undefined {
    while (!this.#head) {
      const bytes = this.#join();
      const at = bytes.indexOf(headEnd, 0, 'latin1');
      if ((at < 0 ? bytes.length : at) > headLimitBytes) throw new HttpSyntaxError('a head without an end');
      if (at < 0) return undefined;
      const head = parseHead(bytes.toString('latin1', 0, at));
      const end = at + headEnd.length;
      if (head.status >= 200) {
        this.#head = { ...head, end };
      } else {
        // An interim response stands before the one that was asked for.
        this.#parts = [bytes.subarray(end)];
        this.#size -= end;
      }
    }
    return this.#head;
  }

  #join(): Buffer {
    const [first, second] = this.#parts;
    if (first && !second) return first;
    const whole = Buffer.concat(this.#parts);
    this.#parts = [whole];
    return whole;
  }
}

function readChunk(head: Head, chunks: ChunkReader, part: Buffer): HttpResponse | undefined {
  const whole = chunks.push(part);
  return whole && finish(head, whole.body, whole.excess);
}

/** @param excess bytes that came behind the body */
function finish({ status, isKept }: Head, body: Buffer, excess: number): HttpResponse {
  // What nobody asked for leaves a connection in a state that nobody knows.
  return { status, body, isKept: isKept && excess === 0 };
}
