import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { ApiContract } from '../../support/api-contract.ts';
import type { FunctionAnswer } from '../../support/functions.ts';
import type { HostileRequest } from '../request.ts';
import { isIntended } from './intended-failures.ts';
import { findLeak } from './leaks.ts';

/** What was sent, as it went out, and what came back. */
export interface Exchanged {
  request: HostileRequest;
  /** The body, if it was sent as JSON text and its headers do not contradict. */
  sentJson: string | undefined;
  /** All of it, for telling what an answer repeats. */
  sent: string;
  answer: FunctionAnswer;
  /** Whether requests have saved other settings than those under which everything works. */
  areSettingsChanged: boolean;
}

/** What is wrong with an answer; undefined if nothing is. */
export function findFault(contract: ApiContract, exchanged: Exchanged): string | undefined {
  const { answer, sent } = exchanged;
  const text = isJson(answer) ? answer.body.toString() : '';
  if (isJson(answer) && answer.body.length > 5_000_000) return `answers ${answer.body.length} bytes`;
  const leak = findLeak(withoutReason(exchanged, text), sent);
  if (leak !== undefined) return `tells "${leak}": ${text.slice(0, 1000)}`;
  return (
    findFailure(exchanged, text) ??
    findRespelled(exchanged, text) ??
    findHeaderFault(answer, text) ??
    findContractFault(contract, exchanged, text)
  );
}

const isJson = ({ headers }: FunctionAnswer): boolean => /\bjson\b/.test(headers['content-type'] ?? '');

/** The test of settings answers why the named host was not reached: `(ECONNREFUSED)`. */
const withoutReason = ({ request: { path } }: Exchanged, text: string): string =>
  path.endsWith('/config/test') ? text.replace(/cannot be reached \([A-Z_]+\)/, '') : text;

function findFailure(
  { answer: { status }, areSettingsChanged }: Exchanged,
  text: string,
): string | undefined {
  if (!Number.isInteger(status) || status < 200 || status > 599) return `answers the status ${status}`;
  const value = Object(text === '' ? undefined : JSON.parse(text));
  // Over JSON-RPC a failure is an answer with status 200.
  const error = Object(value.error);
  const code = status >= 500 ? value.code : error.code === -32603 ? Object(error.data).code : undefined;
  const isFailure = status >= 500 || error.code === -32603;
  return isFailure && !isIntended(String(code), areSettingsChanged)
    ? `fails: ${status} ${text.slice(0, 500)}`
    : undefined;
}

/** A success of a request whose ticket, confirmation or cursor was written otherwise than it was issued. */
function findRespelled({ request, sentJson, answer }: Exchanged, text: string): string | undefined {
  const parameters = new URLSearchParams(request.query);
  const sent = ['cursor', 'ticket']
    .map((name) => parameters.getAll(name))
    .filter(({ length }) => length === 1);
  // What was sent is JSON, so the text with the names of things in it is JSON too.
  const body = sentJson !== undefined && request.body && 'text' in request.body ? request.body.text : '{}';
  const { ticket, confirm } = Object(JSON.parse(body));
  const tokens = [...sent.flat(), ticket, ...[confirm].flat()];
  const respelled = tokens.find(
    (token): token is string => typeof token === 'string' && /^~\w+\.\d\.\d~$/.test(token),
  );
  const isTaken = answer.status === 200 && text.startsWith('{"code":"ok"');
  return respelled !== undefined && isTaken
    ? `takes the token ${respelled}: ${text.slice(0, 500)}`
    : undefined;
}

function findHeaderFault({ status, headers, body }: FunctionAnswer, text: string): string | undefined {
  for (const [name, value] of Object.entries(headers)) {
    try {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    } catch {
      return `answers an invalid header: ${name}: ${JSON.stringify(value)}`;
    }
  }
  const value = Object(text === '' ? undefined : JSON.parse(text));
  const missing = listRequired(status, String(value.code)).filter((name) => !headers[name]);
  if (missing.length > 0) return `answers ${status} without ${missing}`;
  if (headers['x-content-type-options'] !== 'nosniff') return 'answers without nosniff';
  if (body.length > 0 && !headers['content-type']) return 'answers a body without its type';
  if ([204, 304].includes(status) && body.length > 0) return `answers ${status} with a body`;
  const isOfAnother = value.request_id !== undefined && value.request_id !== headers['x-request-id'];
  if (isOfAnother) return 'answers two request IDs';
  return undefined;
}

function listRequired(status: number, code: string): string[] {
  const always = ['x-request-id', 'x-content-type-options', 'cache-control'];
  if (/^auth\.(token|principal)_/.test(code)) return [...always, 'www-authenticate'];
  if (status === 405) return [...always, 'allow'];
  if (status === 429) return [...always, 'retry-after', 'ratelimit-limit'];
  return always;
}

function findContractFault(
  contract: ApiContract,
  { request, sentJson, answer }: Exchanged,
  text: string,
): string | undefined {
  const { method } = request;
  // A path with a slash at its end is known only to list its methods; the local gateway takes one more off.
  const path = answer.status === 405 ? request.path.replace(/(?<=[^/])\/{1,2}$/, '') : request.path;
  const contentType = answer.headers['content-type'] ?? '';
  return contract.findFault({
    method,
    path,
    requestBody: sentJson,
    status: answer.status,
    contentType,
    text,
  });
}
