import { Agent, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { serveRaw } from '../../doubles/serve.ts';
import type { Between } from '../../support/functions.ts';
import { type Decide, type Store, slowMs } from './fault.ts';
import { failure, garbage, type Refusal, throttling } from './refusals.ts';
import { countCommands, readRequest } from './requests.ts';

interface Exchange {
  incoming: IncomingMessage;
  response: ServerResponse;
  body: Buffer;
}

/**
 * A proxy before a store that reads each request completely and applies the fault of `decide`.
 *
 * @param target URL of the store, without a path
 */
export async function startFaultProxy(store: Store, target: string, decide: Decide): Promise<Between> {
  const agent = new Agent({ keepAlive: true });

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(incoming);
    const exchange = { incoming, response, body };
    const request = readRequest(store, incoming, body);
    const kind = decide(request);
    switch (kind) {
      case undefined:
        return pass(exchange);
      case 'slow':
        await pause(slowMs, undefined, { ref: false });
        return pass(exchange);
      case 'kill':
        return void incoming.socket.destroy();
      case 'lose':
        await forward(exchange);
        return void incoming.socket.destroy();
      case 'cut':
        return cut(exchange);
      case 'mute':
        return void (await forward(exchange));
      case 'hang':
        return;
      case 'garbage':
        return answer(response, garbage);
      case 'throttle':
        return answer(response, throttling(request, countCommands(store, body)));
      default:
        return answer(response, failure(store, kind === 'error' ? 500 : 503));
    }
  }

  async function pass(exchange: Exchange): Promise<void> {
    const { status, headers, bytes } = await forward(exchange);
    exchange.response.writeHead(status, headers).end(bytes);
  }

  async function cut(exchange: Exchange): Promise<void> {
    const { response, incoming } = exchange;
    const { status, headers, bytes } = await forward(exchange);
    const { 'transfer-encoding': _, ...rest } = headers;
    response.writeHead(status, { ...rest, 'content-length': bytes.length + 1 });
    response.write(bytes.subarray(0, bytes.length / 2), () => incoming.socket.destroy());
  }

  async function forward({ incoming, body }: Exchange) {
    const { url = '/', method, headers } = incoming;
    const got = await new Promise<IncomingMessage>((resolve, reject) => {
      send(new URL(url, target), { method, headers, agent }, resolve).on('error', reject).end(body);
    });
    return { status: got.statusCode ?? 500, headers: got.headers, bytes: await buffer(got) };
  }

  const { url, stop } = await serveRaw(handle);
  return {
    url,
    stop: async () => {
      await stop();
      agent.destroy();
    },
  };
}

function answer(response: ServerResponse, { status, contentType, body }: Refusal): void {
  response.writeHead(status, { 'content-type': contentType }).end(body);
}
