import fc from 'fast-check';
import { ApiContract } from '../../support/api-contract.ts';
import type { FunctionAnswer } from '../../support/functions.ts';
import { findFault } from '../check/find-fault.ts';
import { anyRequest } from '../generate/requests.ts';
import type { HostileRequest } from '../request.ts';
import { prepare, toExchanged } from '../send.ts';
import { isCutShort, sendRaw, toBytes } from './send-raw.ts';
import { createWireWorld, type Target } from './wire-world.ts';

/** Requests between two restorations of settings and principals. */
const restoreEvery = 50;

/** The results of requests over HTTP. */
export interface WireOutcome {
  faults: string[];
  /** Answers of functions, and of what stands before them. */
  answered: number;
  refusedBefore: number;
}

/** Sends generated requests to a server as bytes, to test the HTTP parsers too. */
export async function runWire(
  target: Target,
  { seed, count }: { seed: number; count: number },
): Promise<WireOutcome> {
  const described = await sendRaw(target.port, toBytes({ method: 'GET', path: '/openapi.json' }));
  const document = JSON.parse(described?.body.toString() ?? '{}');
  const contract = new ApiContract(document);
  const world = await createWireWorld(target);
  const outcome: WireOutcome = { faults: [], answered: 0, refusedBefore: 0 };
  let sent = 0;
  for (const request of fc.sample(anyRequest(document), { seed, numRuns: count })) {
    if (isTurned(request)) continue;
    sent += 1;
    if (sent % restoreEvery === 0) await world.restore();
    const prepared = prepare(request, world);
    const answer = await sendRaw(target.port, toBytes(prepared), isCutShort(prepared));
    if (answer && isOfFunction(answer)) {
      outcome.answered += 1;
      // The gateway may resolve dots in a path.
      const { pathname } = new URL(`http://localhost${prepared.path}`);
      const faults = [prepared.path, pathname].map((path) =>
        findFault(contract, toExchanged(request, { ...prepared, path }, answer, world.areSettingsChanged())),
      );
      world.notice(prepared.path, answer);
      note(outcome, request, faults.includes(undefined) ? undefined : faults[0]);
    } else {
      outcome.refusedBefore += 1;
      note(outcome, request, findGatewayFault(answer));
    }
  }
  return outcome;
}

/**
 * Whether the local gateway changes the request or the answer, so that they do not match: HEAD becomes GET,
 * OPTIONS is always 200, a range is cut out of any answer, and JSON that is not an object or list
 * reaches a function parsed. No deployed gateway does.
 */
const isTurned = ({ method, path, headers, body }: HostileRequest): boolean =>
  method === 'OPTIONS' ||
  (!path.startsWith('/storage/') && (method === 'HEAD' || headers.range !== undefined)) ||
  (body !== undefined && 'text' in body && /^\s*["\d\-tfn]/.test(body.text));

function note({ faults }: WireOutcome, request: HostileRequest, fault: string | undefined): void {
  if (fault === undefined) return;
  // Long texts mostly repeat one letter.
  const printed = JSON.stringify(request)
    .slice(0, 30_000)
    .replace(/(.{1,8}?)\1{20,}/g, '$1…')
    .slice(0, 3000);
  faults.push(`${fault}\n${printed}`);
}

/** The gateway that stands in for the deployed one answers some requests by itself, without an ID. */
export const isOfFunction = ({ headers }: FunctionAnswer): boolean => headers['x-request-id'] !== undefined;

/**
 * What the local gateway answers by itself: bytes that are not HTTP, broken percent-encoding, forms without a
 * boundary, compressed bodies, preflights. Each must be answered as the client's fault.
 */
export function findGatewayFault(answer: FunctionAnswer | undefined): string | undefined {
  if (!answer || answer.status < 500) return undefined;
  return `the gateway answers ${answer.status}: ${answer.body.toString().slice(0, 500)}`;
}
