import { inspect } from 'node:util';
import { AppError, type ErrorDetail } from '#shared/errors/app-error.ts';
import { log } from '#shared/log/log.ts';
import type { ToolDoor } from './mcp-tool.ts';
import { type PreparedCall, prepareCall } from './prepare-call.ts';
import type { ToolRegistry } from './registry.ts';
import { runWithin } from './run-within.ts';
import type { InvokeOptions, ToolCall, ToolOutcome } from './tool-call.ts';

/** Longest run of a tool, in milliseconds. */
export const toolLimitMs = 15_000;
/** What the function needs after the tool to answer, in milliseconds. */
const reserveMs = 1_000;
/** Longest name that the log repeats; registered ones are shorter. */
const loggedNameLength = 100;

/**
 * Calls a tool; the one way to do so, whatever the door. The arguments are validated, a tool that writes is
 * asked for its permission, time and output are bounded, and the log gets one line without the arguments.
 *
 * @throws AppError `tool.not_registered`, `tool.arguments_invalid`, `tool.timeout`; an AppError of the tool as
 *   it is; `tool.failed` for anything else, its cause in the log
 */
export async function invokeTool(
  registry: ToolRegistry,
  call: ToolCall,
  options: InvokeOptions,
): Promise<ToolOutcome> {
  const { name } = call;
  const startedAt = performance.now();
  const audit = (outcome: string, failure?: { error: unknown; errors?: ErrorDetail[] }) => {
    const duration_ms = Math.round(performance.now() - startedAt);
    const line = { ...describeCall(registry, name, options), outcome, duration_ms, ...failure };
    log[failure ? 'error' : 'info']('tool', line);
    return duration_ms;
  };
  try {
    const text = await run(name, prepareCall(registry, call, options), options);
    const result = read(text, options.door);
    return { name, result, text, duration_ms: audit('ok') };
  } catch (thrown) {
    const error = thrown instanceof AppError ? thrown : new AppError('tool.failed', { params: { name } });
    const failure = { error: causeOf(thrown), errors: error.errors };
    audit(error.code, error.status >= 500 ? failure : undefined);
    throw error;
  }
}

function describeCall({ tools }: ToolRegistry, name: string, { door, admin, request }: InvokeOptions) {
  return {
    tool: name.slice(0, loggedNameLength),
    access: tools.find((tool) => tool.name === name)?.access,
    door,
    admin: admin.id,
    request_id: request.id,
  };
}

function run(name: string, { authorize, handle }: PreparedCall, options: InvokeOptions): Promise<string> {
  const { door, admin, request } = options;
  const limitMs = Math.min(toolLimitMs, request.remainingMs() - reserveMs);
  const seconds = Math.max(0, Math.round(limitMs / 1000));
  const expire = () => new AppError('tool.timeout', { params: { name, seconds } });
  return runWithin(limitMs, expire, async (signal) => {
    const context = { door, admin, requestId: request.id, signal };
    await authorize(context);
    // Nothing may be written after the caller has been told that time is over.
    signal.throwIfAborted();
    return handle(context);
  });
}

/** An adapter may say what is no JSON. */
function read(text: string, door: ToolDoor): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (door === 'chat') return text;
    throw error;
  }
}

function causeOf(thrown: unknown): unknown {
  if (thrown instanceof AppError) return thrown.cause ?? thrown;
  return thrown instanceof Error ? thrown : new Error(`threw ${inspect(thrown, { customInspect: false })}`);
}
