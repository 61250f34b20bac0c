import { randomUUID } from 'node:crypto';
import { seal, unseal } from '#shared/crypto/seal.ts';
import { useAllOnce } from '#shared/db/once.ts';
import { AppError } from '#shared/errors/app-error.ts';
import type { ToolRegistry } from '#shared/tools/registry.ts';
import type { ToolCall } from '#shared/tools/tool-call.ts';

/** How long an administrator has to confirm a call. */
const lifetimeSeconds = 300;

/** A call with everything that its token says. */
interface SealedCall extends ToolCall {
  id: string;
  /** Unix seconds. */
  expiresAt: number;
}

const nowSeconds = (): number => Math.floor(Date.now() / 1000);
const contextOf = (adminId: string): string => `tool-call of ${adminId}`;

/** Makes what confirms one call: sealed with name and arguments inside, good for one administrator, once. */
export function createConfirmToken(adminId: string, { name, arguments: args }: ToolCall): string {
  const content = [randomUUID(), name, args, nowSeconds() + lifetimeSeconds];
  return seal(JSON.stringify(content), 'confirm', contextOf(adminId));
}

/**
 * Uses confirm tokens up, all or none.
 *
 * @returns the calls that they confirm, in their order
 * @throws AppError `tool.confirm_invalid` when any of them was not made for this administrator, was used, is
 *   too old, stands here twice, or is of a tool that is gone
 */
export async function redeemConfirmTokens(
  tokens: readonly string[],
  adminId: string,
  registry: ToolRegistry,
): Promise<ToolCall[]> {
  const calls = tokens.map((token) => open(token, adminId));
  const hasTwins = new Set(calls.map(({ id }) => id)).size < calls.length;
  const isGone = calls.some(({ name }) => registry.adapterOf(name) === undefined);
  if (hasTwins || isGone || !(await useAllOnce('confirm_token', calls))) throw invalid();
  return calls.map(({ name, arguments: args }) => ({ name, arguments: args }));
}

function open(token: string, adminId: string): SealedCall {
  const text = unseal(token, 'confirm', contextOf(adminId));
  if (text === undefined) throw invalid();
  const [id, name, args, expiresAt] = JSON.parse(text);
  if (expiresAt <= nowSeconds()) throw invalid();
  return { id, name, arguments: args, expiresAt };
}

const invalid = () => new AppError('tool.confirm_invalid');
