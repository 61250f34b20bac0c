import * as z from 'zod/mini';
import { type ErrorDetail, toAppError } from '#shared/errors/app-error.ts';
import { RawAnswer } from '#shared/http/raw-answer.ts';
import { type Locale, toLanguageTag } from '#shared/i18n/locale.ts';
import { describeDetails, describeError } from '#shared/i18n/messages.ts';
import type { LoadTexts } from '#shared/i18n/texts.ts';
import { validate } from '#shared/i18n/validate.ts';
import { log } from '#shared/log/log.ts';
import { titled } from '#shared/schema/titled.ts';

const jsonrpc = titled({ zh_CN: 'JSON-RPC 版本', en: 'JSON-RPC version' }, z.literal('2.0'));
// The answer must repeat the ID as it was sent, and JSON.parse rounds larger integers.
const id = z.union([
  z.string(),
  z.number().check(z.refine((value) => !Number.isInteger(value) || Number.isSafeInteger(value))),
  z.null(),
]);

/** A request object (JSON-RPC 2.0, section 4); one without `id` is a notification. */
export const rpcRequest = z.strictObject({
  jsonrpc,
  method: titled({ zh_CN: '方法', en: 'Method' }, z.string()),
  params: titled(
    { zh_CN: '参数', en: 'Parameters' },
    z.optional(z.union([z.record(z.string(), z.unknown()), z.array(z.unknown())])),
  ),
  id: titled({ zh_CN: '请求编号', en: 'Request ID' }, z.optional(id)),
});

const answeredId = z.union([z.string(), z.number(), z.null()]);
const error = z.strictObject({
  code: z.int(),
  message: z.string(),
  data: z.optional(
    z.strictObject({
      code: z.optional(z.string()),
      errors: z.optional(z.array(z.strictObject({ path: z.string(), message: z.string() }))),
    }),
  ),
});

/** A response object (JSON-RPC 2.0, section 5). */
export const rpcResponse = z.union([
  z.strictObject({ jsonrpc, result: z.unknown(), id: answeredId }),
  z.strictObject({ jsonrpc, error, id: answeredId }),
]);

/** Errors of JSON-RPC 2.0, section 5.1. */
const parseError = { code: -32700, message: 'Parse error' };
const invalidRequest = { code: -32600, message: 'Invalid Request' };
const methodNotFound = { code: -32601, message: 'Method not found' };
const invalidParamsCode = -32602;
const internalErrorCode = -32603;

/** Methods by name; a method refuses a call with an AppError. */
export type RpcMethods = Record<string, (params: unknown) => Promise<unknown>>;

interface RpcOptions {
  locale: Locale;
  texts: LoadTexts;
  requestId: string;
}

/** `data` of an error has what the envelope of other endpoints has. */
type Outcome = { result: unknown } | { error: z.output<typeof error> };

/**
 * Answers a request of JSON-RPC 2.0. The HTTP status is 200 for every response, errors included, and 204 for a
 * notification, which runs too. A batch is an invalid request.
 */
export async function answerRpc(text: string, methods: RpcMethods, options: RpcOptions): Promise<RawAnswer> {
  const parsed = parseText(text);
  if (!parsed) return render(null, { error: parseError }, options);
  const faults = listFaults(parsed);
  if (faults.length > 0) {
    const errors = describeDetails(faults, await options.texts());
    const reason = Array.isArray(parsed.value) ? ': batches are not supported' : '';
    const error = { ...invalidRequest, message: `${invalidRequest.message}${reason}`, data: { errors } };
    return render(z.safeParse(id, Object(parsed.value).id).data ?? null, { error }, options);
  }
  const request = z.parse(rpcRequest, parsed.value);
  const outcome = await run(methods, request.method, request.params, options);
  return request.id === undefined ? new RawAnswer(204, {}) : render(request.id, outcome, options);
}

function listFaults({ value, isHostile }: ParsedText): ErrorDetail[] {
  if (isHostile) return [{ path: 'body', message: 'rule.unrecognized' }];
  return validate(rpcRequest, value, 'body').issues ?? [];
}

async function run(
  methods: RpcMethods,
  name: string,
  params: unknown,
  { texts, requestId }: RpcOptions,
): Promise<Outcome> {
  const method = Object.hasOwn(methods, name) ? methods[name] : undefined;
  if (!method) return { error: methodNotFound };
  try {
    return { result: (await method(params)) ?? null };
  } catch (thrown) {
    const error = toAppError(thrown);
    // The answer step does not log it: the HTTP status is 200.
    if (error.status >= 500) log.error(error.code, { request_id: requestId, error: error.cause ?? error });
    const { message, ...data } = describeError(error, await texts());
    const isAboutParams = error.status === 422 || error.code === 'tool.not_registered';
    return { error: { code: isAboutParams ? invalidParamsCode : internalErrorCode, message, data } };
  }
}

function render(id: z.output<typeof answeredId>, outcome: Outcome, { locale }: RpcOptions): RawAnswer {
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-language': toLanguageTag(locale),
  };
  return new RawAnswer(200, headers, Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...outcome, id })));
}

interface ParsedText {
  value: unknown;
  /** Whether a copy of the value could change a prototype. */
  isHostile: boolean;
}

/** Undefined if a text is not JSON. */
function parseText(text: string): ParsedText | undefined {
  let isHostile = false;
  try {
    const value: unknown = JSON.parse(text, (key, each) => {
      isHostile ||= key === '__proto__';
      return each;
    });
    return { value, isHostile };
  } catch {
    return undefined;
  }
}

/** The method that a text calls; undefined if the text is not a request. Also for callers who are not logged in. */
export function readMethod(text: string): string | undefined {
  try {
    // Without a reviver, which is called for each value: it makes a list of 256 KiB cost 50 ms instead of 5.
    return z.safeParse(rpcRequest, JSON.parse(text)).data?.method;
  } catch {
    return undefined;
  }
}
