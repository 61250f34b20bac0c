import type { AppError, ErrorDetail } from '#shared/errors/app-error.ts';
import { describeError } from '#shared/i18n/describe-error.ts';
import type { Translate } from '#shared/i18n/messages.ts';

/** Codes of JSON-RPC 2.0, section 5.1. */
export const rpcCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
} as const;

/** The member `error` of an answer. */
export interface RpcError {
  code: (typeof rpcCodes)[keyof typeof rpcCodes];
  message: string;
  /** What the envelope of other endpoints tells. */
  data?: { code?: string; errors?: ErrorDetail[] };
}

/** An error of the service in the words of JSON-RPC. */
export function toRpcError(error: AppError, t: Translate): RpcError {
  const { message, ...data } = describeError(error, t);
  const isAboutParams = error.status === 422 || error.code === 'tool.not_registered';
  return { code: isAboutParams ? rpcCodes.invalidParams : rpcCodes.internalError, message, data };
}
