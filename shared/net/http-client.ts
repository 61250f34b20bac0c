import http, {
  type Agent,
  type ClientRequest,
  type ClientRequestArgs,
  type IncomingMessage,
} from 'node:http';

export interface HttpRequest {
  /** A URL, as `urlToHttpOptions` returns it. */
  target: ClientRequestArgs;
  method: string;
  /** `content-length` is added if there is a body. */
  headers?: ClientRequestArgs['headers'];
  /** Sent one after the other, byte for byte. */
  body: readonly Uint8Array[];
  /** An agent of {@link httpModuleOf} the target. */
  agent: Agent;
  deadline: Deadline;
}

/** Node's module for the protocol of a URL. Loading TLS costs milliseconds, so it is loaded only if needed. */
export const httpModuleOf = ({ protocol }: ClientRequestArgs): Pick<typeof http, 'Agent' | 'request'> =>
  protocol === 'https:' ? process.getBuiltinModule('node:https') : http;

/**
 * Sends a request. Connections are reset while a function is frozen. If a kept connection is lost before any byte of
 * an answer, the request is sent once more over a new one: with an agent that keeps connections, it may arrive twice.
 *
 * @returns the answer of any status, with its body unread
 * @throws Error of Node, also if the deadline is over
 */
export function send(request: HttpRequest, isRetry = false): Promise<IncomingMessage> {
  const { target, method, headers, body, agent, deadline } = request;
  return new Promise((resolve, reject) => {
    const outgoing = httpModuleOf(target).request({ ...target, method, headers, agent }, resolve);
    deadline.watch(outgoing);
    let readBefore = 0;
    outgoing.on('socket', (socket) => {
      readBefore = socket.bytesRead;
    });
    outgoing.on('error', (error) => {
      const isUnanswered = outgoing.socket?.bytesRead === readBefore;
      // The other idle connections are as old as this one.
      closeIdle(agent);
      const mayRetry = outgoing.reusedSocket && isUnanswered && isReset(error) && !isRetry;
      if (mayRetry) resolve(send(request, true));
      else reject(error);
    });
    write(outgoing, body);
  });
}

const isReset = ({ code }: NodeJS.ErrnoException): boolean => code === 'ECONNRESET' || code === 'EPIPE';

function closeIdle({ freeSockets }: Agent): void {
  for (const sockets of Object.values(freeSockets)) {
    for (const socket of sockets ?? []) socket.destroy();
  }
}

function write(outgoing: ClientRequest, body: readonly Uint8Array[]): void {
  const sizeBytes = body.reduce((sum, { length }) => sum + length, 0);
  if (body.length > 0 && !outgoing.hasHeader('content-length'))
    outgoing.setHeader('content-length', sizeBytes);
  for (const part of body.slice(0, -1)) outgoing.write(part);
  outgoing.end(body.at(-1));
}

/**
 * Reads an answer to its end, or until it has more than `maxBytes`; then its connection is closed.
 *
 * @returns all that was read, which may be longer than `maxBytes`
 * @throws Error of Node if the answer breaks off
 */
export function readBytes(incoming: IncomingMessage, maxBytes = Infinity): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let sizeBytes = 0;
    const finish = () => resolve(Buffer.concat(chunks));
    incoming.on('data', (chunk: Buffer) => {
      sizeBytes += chunk.length;
      chunks.push(chunk);
      if (sizeBytes <= maxBytes) return;
      finish();
      incoming.destroy();
    });
    incoming.on('error', reject);
    incoming.on('close', () => reject(new Error('the answer broke off')));
    incoming.on('end', finish);
  });
}

/**
 * The time that a request, its repetition and the reading of its answer have together. It ends one turn of the event
 * loop late: an answer that arrived while this process was busy still counts.
 */
export class Deadline {
  isOver = false;
  readonly #timer: NodeJS.Timeout;
  #lastTurn: NodeJS.Immediate | undefined;
  #outgoing: ClientRequest | undefined;

  constructor(timeoutMs: number) {
    this.#timer = setTimeout(() => {
      this.#lastTurn = setImmediate(() => this.#end());
    }, timeoutMs);
  }

  /** Ends this request, instead of an earlier one, when the time is over. */
  watch(outgoing: ClientRequest): void {
    this.#outgoing = outgoing;
  }

  /** Stops the timer. */
  stop(): void {
    clearTimeout(this.#timer);
    clearImmediate(this.#lastTurn);
  }

  #end(): void {
    this.isOver = true;
    this.#outgoing?.destroy(new Error('the time is over'));
  }
}
