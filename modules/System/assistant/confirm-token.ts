import { randomUUID } from 'node:crypto';
import { decrypt, encrypt } from '#shared/crypto/encrypt.ts';
import { redeemTokens } from '#shared/db/single-use.ts';
import type { ToolCall, ToolCaller } from '#shared/tools/invoke.ts';
import type { ToolRegistry } from '#shared/tools/registry.ts';
import systemErrors from '../errors.ts';

/** Time to confirm a call. */
const lifetimeSeconds = 300;

const nowSeconds = (): number => Math.floor(Date.now() / 1000);
/** Who confirms. A token ends with the administrator's epoch. */
type Confirmer = Pick<ToolCaller, 'sessionEpoch'> & { admin: { id: string } };
const contextOf = ({ admin, sessionEpoch }: Confirmer): string =>
  `tool-call of ${admin.id} in epoch ${sessionEpoch}`;

/** Creates a single-use token that confirms one call of one administrator. */
export function createConfirmToken(caller: Confirmer, { name, arguments: args }: ToolCall): string {
  const content = [randomUUID(), name, args, nowSeconds() + lifetimeSeconds];
  return encrypt(JSON.stringify(content), 'confirm', contextOf(caller));
}

/**
 * Redeems confirm tokens, all or none. @throws AppError `tool.confirm_invalid` if any is another administrator's, of
 * another epoch, used, expired or given twice, or if its tool no longer exists
 */
export async function redeemConfirmTokens(
  tokens: readonly string[],
  caller: Confirmer,
  registry: ToolRegistry,
): Promise<ToolCall[]> {
  const calls = tokens.map((token) => open(token, caller));
  const hasDuplicates = new Set(calls.map(({ id }) => id)).size < calls.length;
  const isGone = calls.some(
    ({ name }) => !registry.tools.some((tool) => tool.name === name && tool.loadAdapter),
  );
  if (hasDuplicates || isGone || !(await redeemTokens('confirm_token', calls))) throw invalid();
  return calls.map(({ name, arguments: args }) => ({ name, arguments: args }));
}

/**
 * Redeems the token of one call. @throws AppError `tool.confirm_invalid` if it is another administrator's or call's, of
 * another epoch, used or expired
 */
export async function redeemConfirmToken(token: string, caller: Confirmer, call: ToolCall): Promise<void> {
  const { name, arguments: args, ...use } = open(token, caller);
  const isThisCall = name === call.name && args === call.arguments;
  if (!isThisCall || !(await redeemTokens('confirm_token', [use]))) throw invalid();
}

function open(token: string, caller: Confirmer): ToolCall & { id: string; expiresAt: number } {
  const text = decrypt(token, 'confirm', contextOf(caller));
  if (text === undefined) throw invalid();
  const [id, name, args, expiresAt] = JSON.parse(text);
  if (expiresAt <= nowSeconds()) throw invalid();
  return { id, name, arguments: args, expiresAt };
}

const invalid = () => systemErrors.create('tool.confirm_invalid');
