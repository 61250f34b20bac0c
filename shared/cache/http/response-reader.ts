import { readChunks } from './chunks.ts';
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

  /** Whether anything has arrived. */
  get isBegun(): boolean {
    return this.#size > 0;
  }

  /** @returns the response once it is whole @throws HttpSyntaxError */
  push(part: Buffer): HttpResponse | undefined {
    this.#parts.push(part);
    this.#size += part.length;
    const head = this.#readHead();
    if (!head || head.framing === undefined) return undefined;
    if (head.framing === 'chunked') {
      const chunked = readChunks(this.#join(), head.end);
      return chunked && this.#finish(head, chunked.body, chunked.end);
    }
    const end = head.end + head.framing;
    return this.#size < end ? undefined : this.#finish(head, this.#join().subarray(head.end, end), end);
  }

  /** Tells that the connection has ended. @returns the response if that is its end @throws HttpSyntaxError */
  end(): HttpResponse {
    const head = this.#head;
    if (!head || head.framing !== undefined) throw new HttpSyntaxError('the answer was cut');
    return { status: head.status, body: this.#join().subarray(head.end), isKept: false };
  }

  #finish({ status, isKept }: Head, body: Buffer, end: number): HttpResponse {
    // What nobody asked for leaves a connection in a state that nobody knows.
    return { status, body, isKept: isKept && end === this.#size };
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
