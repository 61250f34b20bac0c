import { inspect } from 'node:util';
import { runWithin } from '#shared/async/run-within.ts';
import { settleAll } from '#shared/async/settle-all.ts';
import { describeActor } from '#shared/audit/actor.ts';
import { Recording } from '#shared/audit/recording.ts';
import type { AdminCaller } from '#shared/auth/principal.ts';
import { AppError, type ErrorDetail } from '#shared/errors/app-error.ts';
import type { Locale } from '#shared/i18n/locale.ts';
import type { LoadTexts } from '#shared/i18n/texts.ts';
import { validate } from '#shared/i18n/validate.ts';
import { log } from '#shared/log/log.ts';
import { limitText, refuseResult, toAnswerText } from './json-text.ts';
import type { ToolChannel, ToolContext, ToolRequest, ToolSchema } from './mcp-tool.ts';
import { assertToolPermitted, type RegisteredTool, type ToolRegistry } from './registry.ts';

export interface ToolCall {
  name: string;
  /** @default {} */
  arguments?: unknown;
}

/** The caller of a tool; the context of an administrator's route fits. */
export interface ToolCaller {
  admin: AdminCaller;
  /** The administrator's epoch: confirmations end with it. */
  sessionEpoch: number;
  request: ToolRequest;
  /** ID of the API token, if one was used. */
  tokenId?: string | undefined;
  /** ID of the OAuth client, if its access token was used. */
  client?: string | undefined;
  locale: Locale;
  texts: LoadTexts;
}

export interface InvokeOptions extends ToolCaller {
  channel: ToolChannel;
  /** The trace that the call belongs to, for the log. */
  traceparent?: string | undefined;
  /** The result of the tool's `prefetch`. */
  prefetched?: unknown;
  /** First part of the paths of wrong arguments, such as `body.arguments`. */
  root: string;
}

/** Longest run of a tool, in milliseconds. */
const toolLimitMs = 15_000;
/** Time that the function needs to answer after the tool, in milliseconds. */
const reserveMs = 1_000;
/** Longest tool name in the log; registered names are shorter. */
const loggedNameLength = 100;

/**
 * Calls a tool. Every channel uses this function. It checks the caller's permission, validates the arguments, lets a
 * tool that writes check the call, limits time and output, logs one line without the arguments, and records calls of
 * tools that write, and of tools whose route is recorded.
 *
 * @returns `text`, and `result`: parsed JSON, or the adapter's raw text if it is not JSON
 * @throws AppError `tool.not_registered`, `auth.permission_denied`, `tool.arguments_invalid`, `tool.timeout`; an
 *   AppError of the tool as it is; `tool.failed` for anything else, with its cause in the log
 */
export async function invokeTool(registry: ToolRegistry, call: ToolCall, options: InvokeOptions) {
  const { name } = call;
  const startedAt = performance.now();
  const logCall = (outcome: string, failure?: { error: unknown; errors?: ErrorDetail[] }) => {
    const duration_ms = Math.round(performance.now() - startedAt);
    const line = { ...describeCall(registry, name, options), outcome, duration_ms, ...failure };
    log[failure ? 'error' : 'info']('tool', line);
    return duration_ms;
  };
  const tool = findTool(registry, name);
  let recording: Recording | undefined;
  try {
    if (tool?.isRecorded) recording = await createRecording(tool, call, options);
    const prepared = await prepareCall(registry, call, options);
    const running = () => run(name, prepared, options);
    if (recording) recording.input = prepared.args;
    const text = await (recording ? recording.run(running) : running());
    const result = parseResult(text, options.channel);
    return { name, result, text, duration_ms: logCall('ok') };
  } catch (thrown) {
    const error = thrown instanceof AppError ? thrown : new AppError('tool.failed', { params: { name } });
    const failure = { error: causeOf(thrown), errors: error.errors };
    logCall(error.code, error.status >= 500 ? failure : undefined);
    // A call of another tool that reads is recorded only if its permission is refused.
    if (tool && error.code === 'auth.permission_denied')
      recording ??= await createRecording(tool, call, options);
    await recording?.fail(error);
    throw error;
  }
}

/**
 * Finds a tool, checks the caller's permission and validates the arguments. The chat calls the tool's adapter; the
 * arguments must fit the schema of the tool too, so an adapter can only be stricter.
 *
 * @returns `authorize` lets a tool that writes check the call; `describe` says what it does; `handle` returns JSON, in the chat the adapter's text
 * @throws AppError `tool.not_registered`, `auth.permission_denied`, `tool.arguments_invalid`
 */
export async function prepareCall(registry: ToolRegistry, call: ToolCall, options: InvokeOptions) {
  const { name, arguments: given = {} } = call;
  const registered = registry.find(name);
  assertToolPermitted(registered, options.admin);
  const [tool, needs] = await settleAll([registered.load(), registered.loadNeeds()]);
  const args = parseArguments(tool.inputSchema, given, options.root);
  const authorize = async (context: ToolContext) => {
    if (registered.access === 'read') return;
    // Discovery refuses a tool that writes without `authorize`; other registries may hold one.
    if (!tool.authorize) throw new Error(`${name} writes and has no authorize`);
    await tool.authorize(context, args);
  };
  const describe = (context: ToolContext) => tool.describeCall?.(context, args);
  if (options.channel !== 'chat') {
    const handle = async (context: ToolContext) => toAnswerText(tool, await tool.handle(args, context));
    return { args, needs, authorize, describe, handle };
  }
  const adapter = await registered.loadAdapter?.();
  if (!adapter) throw new AppError('tool.not_registered', { params: { name } });
  const adapted = parseArguments(adapter.inputSchema, given, options.root);
  const handle = async (context: ToolContext) => requireText(name, await adapter.handle(adapted, context));
  return { args, needs, authorize, describe, handle };
}

type Prepared = Awaited<ReturnType<typeof prepareCall>>;

/** Records a call that is refused before it is invoked. Never throws. */
export async function recordRefusal(
  registry: ToolRegistry,
  call: ToolCall,
  options: InvokeOptions,
  error: AppError,
): Promise<void> {
  const tool = findTool(registry, call.name);
  if (tool?.isRecorded) await (await createRecording(tool, call, options)).fail(error);
}

const findTool = ({ tools }: ToolRegistry, name: string): RegisteredTool | undefined =>
  tools.find((tool) => tool.name === name);

/** The record of a call for the audit log. */
async function createRecording(
  { name, permission, target, load }: RegisteredTool,
  { arguments: given }: ToolCall,
  options: InvokeOptions,
) {
  const { request, channel, root } = options;
  const { inputSchema: schema } = await load();
  const recording = new Recording({
    actor: describeActor(options),
    channel: channel === 'mcp' || channel === 'chat' ? channel : 'api',
    action: permission?.path ?? `tool/${name}`,
    requestId: request.id,
    address: request.address,
    remainingMs: request.remainingMs,
    root,
    schema,
    target,
  });
  recording.given = given;
  return recording;
}

function describeCall(registry: ToolRegistry, name: string, options: InvokeOptions) {
  const { channel, admin, request, traceparent } = options;
  return {
    tool: name.slice(0, loggedNameLength),
    access: findTool(registry, name)?.access,
    channel,
    admin: admin.id,
    request_id: request.id,
    traceparent,
  };
}

const run = (name: string, prepared: Prepared, options: InvokeOptions): Promise<string> =>
  runLimited(name, prepared, options, prepared.handle);

/** Runs `work` after the tool has authorised the call, within the tool's time. */
export function runLimited<T>(
  name: string,
  { needs, authorize }: Prepared,
  options: InvokeOptions,
  work: (context: ToolContext) => Promise<T>,
): Promise<T> {
  const { channel, admin, request, locale, texts, prefetched } = options;
  const limitMs = Math.min(toolLimitMs, request.remainingMs() - reserveMs);
  const seconds = Math.max(0, Math.round(limitMs / 1000));
  const expire = () => new AppError('tool.timeout', { params: { name, seconds } });
  return runWithin(limitMs, expire, async (signal) => {
    const caller = { channel, admin, requestId: request.id, request, locale, texts };
    const context = { ...caller, needs, signal, prefetched };
    try {
      await authorize(context);
      // The caller may have got the timeout already: write nothing after it.
      signal.throwIfAborted();
      return await work(context);
    } catch (error) {
      throw error instanceof AppError ? renameToArguments(error, options.root) : error;
    }
  });
}

/** Routes name fields in `body` and `query`; for the caller of a tool they are its arguments. */
function renameToArguments(error: AppError, root: string): AppError {
  if (!error.errors?.some(({ path }) => inputPath.test(path))) return error;
  const errors = error.errors.map((each) => ({ ...each, path: each.path.replace(inputPath, root) }));
  return new AppError(error, { ...error, errors, cause: error.cause });
}

const inputPath = /^(?:body|query)(?=\.|$)/;

function parseArguments(schema: ToolSchema, given: unknown, root: string): Record<string, unknown> {
  const { value, issues } = validate(schema, given, root);
  if (issues) throw new AppError('tool.arguments_invalid', { errors: issues });
  return value;
}

function requireText(name: string, text: unknown): string {
  if (typeof text === 'string') return limitText(name, text);
  throw refuseResult(name, 'result', 'rule.tool_no_text', { found: typeof text });
}

/** Only an adapter may answer text that is not JSON. */
function parseResult(text: string, channel: ToolChannel): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (channel === 'chat') return text;
    throw error;
  }
}

function causeOf(thrown: unknown): unknown {
  if (thrown instanceof AppError) return thrown.cause ?? thrown;
  return thrown instanceof Error ? thrown : new Error(`threw ${inspect(thrown, { customInspect: false })}`);
}
