import type { FunctionRequest } from '../support/function-event.ts';
import type { FunctionAnswer, Functions } from '../support/functions.ts';
import type { Exchanged } from './check/find-fault.ts';
import { type HostileRequest, readBody } from './request.ts';
import { isOwnLogin, type World } from './world/world.ts';

/** A request as it is sent: with the caller's login, and with real names instead of placeholders. */
export function prepare(request: HostileRequest, { things, authorizationOf }: World): FunctionRequest {
  const { method, path, query, headers, caller, isBase64 } = request;
  const authorization = isOwnLogin(request) ? authorizationOf(caller) : undefined;
  const filled = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, things.fill(value)]),
  );
  return {
    method,
    path: things.fill(path),
    ...(query && { query: things.fill(query) }),
    headers: { ...filled, ...(authorization && { authorization }) },
    body: readBody(request, things.fill),
    base64: isBase64,
  };
}

/** Sends a request to the functions of this process. */
export async function send(request: HostileRequest, functions: Functions, world: World) {
  const prepared = prepare(request, world);
  const startedAt = performance.now();
  const answer = await functions.call(prepared);
  const durationMs = performance.now() - startedAt;
  world.notice(prepared.path, answer);
  return { ...toExchanged(request, prepared, answer, world.areSettingsChanged()), durationMs };
}

/** What the checks need to know about an exchange. */
export function toExchanged(
  request: HostileRequest,
  sent: FunctionRequest,
  answer: FunctionAnswer,
  areSettingsChanged: boolean,
): Exchanged {
  const text = sent.body === undefined ? '' : Buffer.from(sent.body).toString();
  const isPlain = sent.headers?.['content-type'] === 'application/json';
  return {
    request: { ...request, path: sent.path },
    sentJson: isPlain && isJsonText(text) ? text : undefined,
    sent: [sent.path, sent.query, ...Object.values(sent.headers ?? {}), text].join('\n'),
    answer,
    areSettingsChanged,
  };
}

function isJsonText(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
