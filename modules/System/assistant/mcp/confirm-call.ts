import { createHash } from 'node:crypto';
import { describeForUser } from '#shared/tools/ask-user.ts';
import type { InvokeOptions, ToolCall } from '#shared/tools/invoke.ts';
import { type McpDialog, McpQuestion } from '#shared/tools/mcp-service.ts';
import type { ToolRegistry } from '#shared/tools/registry.ts';
import systemErrors from '../../errors.ts';
import { createConfirmToken, redeemConfirmToken } from '../confirm-token.ts';

/** Most characters that a question shows: of one value, and of all arguments. */
const shownLengths = { value: 200, all: 2000 };

/**
 * Asks the user of an MCP client before a call. The client repeats the call with the user's answer and our state,
 * which confirms this call of this administrator once, for 300 seconds.
 *
 * @returns the question; undefined if the user has agreed
 * @throws AppError `tool.declined`, `tool.confirm_invalid`, and what refuses the call itself
 */
export async function confirmCall(
  registry: ToolRegistry,
  call: ToolCall,
  options: InvokeOptions,
  { state, action }: McpDialog,
): Promise<McpQuestion | undefined> {
  const wanted = { name: call.name, arguments: digest(call.arguments) };
  if (state === undefined || action === undefined) {
    const description = await describeForUser(registry, call, options);
    const question = `${description} (${call.name})? ${show(call.arguments)}`;
    return new McpQuestion(question, createConfirmToken(options, wanted));
  }
  await redeemConfirmToken(state, options, wanted);
  if (action !== 'accept') throw systemErrors.create('tool.declined');
  return undefined;
}

/** The arguments. A long value must not hide the others, and what is left out is counted. */
const show = (args: unknown): string => {
  const shorten = (text: string, max: number) =>
    text.length > max ? `${text.slice(0, max).toWellFormed()}… (+${text.length - max})` : text;
  const short = (_name: string, value: unknown) =>
    typeof value === 'string' ? shorten(value, shownLengths.value) : value;
  return shorten(JSON.stringify(args, short), shownLengths.all).replace(hidden, escapeHidden);
};

/** Characters that hide or turn text, which JSON leaves as they are. */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const escapeHidden = (sign: string): string => `\\u{${sign.codePointAt(0)?.toString(16)}}`;

/** The arguments in a state of small, fixed size. The order of fields does not count. */
const digest = (args: unknown): string =>
  createHash('sha256').update(JSON.stringify(args, sortFields)).digest('base64url');

const sortFields = (_name: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;
