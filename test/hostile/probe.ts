import { setImmediate } from 'node:timers/promises';
import { OpenApiDocument } from '../support/open-api-document.ts';
import { findFault } from './check/find-fault.ts';
import type { Ground } from './ground.ts';
import type { HostileRequest } from './request.ts';
import { send } from './send.ts';
import type { Tally } from './tally.ts';
import type { ProcessWatch } from './watch-process.ts';

/** Longest that a request may take, in milliseconds. */
const hangMs = 2000;
/** Requests between two restorations of settings and principals. */
const restoreEvery = 100;

/** Sends a request; returns what is wrong with the answer, undefined if nothing is. */
export type Probe = (request: HostileRequest) => Promise<string | undefined>;

export function createProbe(ground: Ground, watch: ProcessWatch, tally: Tally): Probe {
  const { functions, world, contract } = ground;
  const document = new OpenApiDocument(ground.document);
  let sent = 0;

  async function findHang(request: HostileRequest, durationMs: number): Promise<string | undefined> {
    if (durationMs <= hangMs) return undefined;
    // The time may be that of another process.
    const again = await send(request, functions, world);
    return again.durationMs > hangMs
      ? `takes ${durationMs.toFixed(0)} and ${again.durationMs.toFixed(0)} ms`
      : undefined;
  }

  return async (request) => {
    sent += 1;
    if (sent % restoreEvery === 0) await world.restore();
    const exchanged = await send(request, functions, world);
    // Node reports unhandled rejections at the end of a turn.
    await setImmediate();
    const { answer, durationMs, request: asked } = exchanged;
    const operation = nameOperation(document, asked);
    tally.count(operation, answer, durationMs);
    const fault =
      findFault(contract, exchanged) ?? watch.findFault() ?? (await findHang(request, durationMs));
    return fault === undefined ? undefined : `${operation} ${fault}`;
  };
}

/** Method and template of a request's path; undocumented paths share one name. */
function nameOperation(document: OpenApiDocument, { method, path }: HostileRequest): string {
  const [, template] = document.findPath(path) ?? [];
  const isKnown =
    template !== undefined && document.find(['paths', template, method.toLowerCase()]) !== undefined;
  return isKnown ? `${method} ${template}` : 'what no route takes';
}
