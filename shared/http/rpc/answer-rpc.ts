import * as z from 'zod/mini';
import { AppError, type ErrorDetail } from '#shared/errors/app-error.ts';
import { maxDetails } from '#shared/i18n/describe-error.ts';
import { type Locale, toLanguageTag } from '#shared/i18n/locale.ts';
import type { Translate } from '#shared/i18n/messages.ts';
import { validate } from '#shared/i18n/validate.ts';
import { log } from '#shared/log/log.ts';
import { RawAnswer } from '../raw-answer.ts';
import { type RpcError, rpcCodes, toRpcError } from './rpc-error.ts';
import { parseText, type RpcId, readId, rpcRequest } from './rpc-request.ts';

/** What a method is called with; it throws an AppError for what it refuses. */
export type RpcMethod = (params: unknown) => Promise<unknown>;
export type RpcMethods = Record<string, RpcMethod>;

export interface RpcOptions {
  locale: Locale;
  t: Translate;
  requestId: string;
}

type Outcome = { result: unknown } | { error: RpcError };

/**
 * Answers a request of JSON-RPC 2.0: HTTP 200 with its answer, whatever it says; 204 to a notification, which
 * is carried out too. A batch is refused as what is no request.
 *
 * @param methods by name
 */
export async function answerRpc(text: string, methods: RpcMethods, options: RpcOptions): Promise<RawAnswer> {
  const parsed = parseText(text);
  if (!parsed) {
    return render(null, { error: { code: rpcCodes.parseError, message: 'Parse error' } }, options);
  }
  const errors = listFaults(parsed, options);
  if (errors.length > 0) {
    const message = Array.isArray(parsed.value) ? 'Invalid Request: no batch is taken' : 'Invalid Request';
    const error: RpcError = { code: rpcCodes.invalidRequest, message, data: { errors } };
    return render(readId(parsed.value), { error }, options);
  }
  const { id, method, params } = z.parse(rpcRequest, parsed.value);
  const outcome = await run(methods, method, params, options);
  return id === undefined ? new RawAnswer(204, {}) : render(id, outcome, options);
}

function listFaults(
  { value, isHostile }: { value: unknown; isHostile: boolean },
  options: RpcOptions,
): ErrorDetail[] {
  if (isHostile) return [{ path: 'body', message: options.t('rule.unrecognized') }];
  return validate(rpcRequest, value, { root: 'body', ...options }).issues.slice(0, maxDetails);
}

async function run(
  methods: RpcMethods,
  name: string,
  params: unknown,
  { t, requestId }: RpcOptions,
): Promise<Outcome> {
  const method = Object.hasOwn(methods, name) ? methods[name] : undefined;
  if (!method) return { error: { code: rpcCodes.methodNotFound, message: 'Method not found' } };
  try {
    return { result: (await method(params)) ?? null };
  } catch (thrown) {
    const error = thrown instanceof AppError ? thrown : new AppError('internal', { cause: thrown });
    // The outcome step, which logs failures elsewhere, sees a success here.
    if (error.status >= 500) log.error(error.code, { request_id: requestId, error: error.cause ?? error });
    return { error: toRpcError(error, t) };
  }
}

function render(id: RpcId, outcome: Outcome, { locale }: RpcOptions): RawAnswer {
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-language': toLanguageTag(locale),
  };
  return new RawAnswer(200, headers, Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...outcome, id })));
}
