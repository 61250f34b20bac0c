import net, { type Socket } from 'node:net';
import type { ConnectionOptions, TLSSocket } from 'node:tls';
import { type HttpResponse, ResponseReader } from './response-reader.ts';
import { HttpSyntaxError } from './syntax-error.ts';

/** The connection was lost before anything was answered: who sent over a kept one may send again. */
export class UnansweredError extends Error {
  override readonly name = 'UnansweredError';
}

interface Exchange {
  reader: ResponseReader;
  resolve(response: HttpResponse): void;
  reject(error: Error): void;
}

/** A connection for HTTP/1.1 that carries one request at a time. While it is idle it keeps no process alive. */
export class Connection {
  readonly #socket: Socket;
  #exchange: Exchange | undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (part: Buffer) => this.#read((reader) => reader.push(part)));
    socket.on('end', () => this.#read((reader) => reader.end()));
    socket.on('error', (error) => this.#fail(error));
    socket.on('close', () => this.#fail(new HttpSyntaxError('the connection was closed')));
  }

  get isOpen(): boolean {
    return this.#socket.writable && this.#socket.readable;
  }

  /**
   * Sends a request.
   *
   * @param message head and body as they travel
   * @throws UnansweredError, HttpSyntaxError
   */
  send(message: string): Promise<HttpResponse> {
    return new Promise((resolve, reject) => {
      this.#exchange = { reader: new ResponseReader(), resolve, reject };
      this.#socket.ref();
      this.#socket.write(message);
    });
  }

  /** Ends the connection; what was sent over it fails with the given error. */
  destroy(error: Error): void {
    this.#exchange?.reject(error);
    this.#exchange = undefined;
    this.#socket.destroy();
  }

  #read(read: (reader: ResponseReader) => HttpResponse | undefined): void {
    // Nobody waits: what comes by itself ends the connection.
    if (!this.#exchange) return void this.#socket.destroy();
    try {
      const response = read(this.#exchange.reader);
      if (!response) return;
      const { resolve } = this.#exchange;
      this.#exchange = undefined;
      if (response.isKept) this.#socket.unref();
      else this.#socket.destroy();
      resolve(response);
    } catch (error) {
      this.#socket.destroy(error as Error);
    }
  }

  #fail(cause: Error): void {
    const { reader, reject } = this.#exchange ?? {};
    this.#exchange = undefined;
    reject?.(reader?.isBegun ? cause : new UnansweredError('the connection was lost', { cause }));
  }
}

/** Opens connections to the host of a URL, over TLS where it is `https:`. */
export function createConnector({ protocol, hostname, port }: URL): () => Connection {
  const isSecure = protocol === 'https:';
  const host = hostname.replace(/^\[|\]$/g, '');
  const target = { host, port: Number(port) || (isSecure ? 443 : 80), noDelay: true };
  if (!isSecure) return () => new Connection(net.connect(target));
  // Loading TLS costs milliseconds; only what the URL asks for is loaded.
  const tls = process.getBuiltinModule('node:tls');
  const servername = net.isIP(host) ? '' : host;
  const options: ConnectionOptions = { ...target, servername, ALPNProtocols: ['http/1.1'] };
  return () => {
    const socket: TLSSocket = tls.connect(options);
    // The next handshake is then shorter.
    socket.on('session', (session) => {
      options.session = session;
    });
    return new Connection(socket);
  };
}
